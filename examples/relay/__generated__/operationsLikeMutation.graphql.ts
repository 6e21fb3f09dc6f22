/**
 * @generated SignedSource<<a3c5460fe93665d48f41e7f1eed5df40>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import type { ConcreteRequest } from 'relay-runtime';
export type UserErrorCode = "ACCOUNT_CLOSED" | "ACCOUNT_EXISTS" | "ACCOUNT_NOT_FOUND" | "ACTION_ID_INVALID" | "ADDRESS_INVALID" | "AMOUNT_INVALID" | "AMOUNT_NOT_POSITIVE" | "AMOUNT_TOO_LARGE" | "AMOUNT_TOO_PRECISE" | "APP_VERSION_INVALID" | "AUTHOR_NOT_FOUND" | "AVATAR_URL_INVALID" | "BAD_CURSOR" | "BLOCKED" | "BODY_REQUIRED" | "CANNOT_BLOCK_YOURSELF" | "CANNOT_FOLLOW_YOURSELF" | "CANNOT_MUTE_YOURSELF" | "COMMAND_ID_REUSED" | "COMMENT_NOT_FOUND" | "CONFLICT" | "CONTENT_EMPTY" | "CONTENT_INVALID" | "CONTENT_REJECTED" | "CONTENT_TOO_LONG" | "CREDIT_LIMIT_EXCEEDED" | "CREDIT_LIMIT_FORBIDDEN" | "CREDIT_LIMIT_INVALID" | "CURRENCY_MISMATCH" | "CURRENCY_UNKNOWN" | "CUSTOMER_EXISTS" | "CUSTOMER_NOT_FOUND" | "DELIVERY_NOT_FOUND" | "DELIVERY_NOT_SENT" | "DESCRIPTION_INVALID" | "DEVICE_NOT_FOUND" | "DISPLAY_NAME_EMPTY" | "DISPLAY_NAME_INVALID" | "DISPLAY_NAME_TOO_LONG" | "EMAIL_INVALID" | "ENDS_BEFORE_START" | "ENGAGEMENT_NOT_FOR_CHANNEL" | "EXPIRES_IN_PAST" | "FALLBACK_REPEATED" | "FIELD_NOT_FOR_CHANNEL" | "FORBIDDEN" | "HTML_UNSAFE" | "IDEMPOTENCY_KEY_INVALID" | "IDEMPOTENCY_KEY_REUSED" | "ID_INVALID" | "INACTIVE_CUSTOMER" | "INSUFFICIENT_FUNDS" | "ITEMS_EMPTY" | "KEYWORD_EMPTY" | "KEYWORD_INVALID" | "KEYWORD_TOO_LONG" | "LANGUAGE_INVALID" | "MEDIA_FAILED" | "MEDIA_NOT_FOUND" | "MISSING_VARIABLE" | "NAME_INVALID" | "NOTHING_TO_CHANGE" | "NOTHING_TO_SEND" | "NOTIFICATION_ID_REUSED" | "NOT_FOLLOWING" | "NOT_FOUND" | "NOT_SHAREABLE" | "NO_CHANNELS" | "NO_DEAD_LETTERS" | "NO_PREFERENCES" | "NO_RECIPIENTS" | "ORDER_CANCELLED" | "ORDER_EXISTS" | "ORDER_NOT_FOUND" | "ORDER_SHIPPED" | "OUT_OF_STOCK" | "PAYMENT_TOO_LARGE" | "PHONE_INVALID" | "POST_NOT_PUBLIC" | "PRICE_CHANGED" | "PRODUCT_NOT_FOUND" | "PROJECTOR_NOT_FOUND" | "PROJECTOR_NOT_REBUILDABLE" | "PUSH_SERVICE_UNKNOWN" | "QUANTITY_INVALID" | "QUIET_HOURS_INCOMPLETE" | "RATE_LIMIT_RULES_INVALID" | "RATE_LIMIT_RULES_UNREACHABLE" | "REASON_INVALID" | "REFERENCE_INVALID" | "RENDERED_TOO_LARGE" | "SCHEDULE_AFTER_EXPIRY" | "SCHEDULE_IN_PAST" | "SCHEDULE_TOO_FAR" | "SIGNAL_INVALID" | "STOCK_INVALID" | "STOCK_RESERVED" | "SUBSCRIPTION_INVALID" | "TEMPLATE_ID_TAKEN" | "TEMPLATE_NOT_FOR_CHANNEL" | "TEMPLATE_NOT_FOUND" | "TEMPLATE_OR_DRAFT" | "TEXT_INVALID" | "TEXT_TOO_LONG" | "TIMEZONE_UNKNOWN" | "TOKEN_INVALID" | "TOO_MANY_DEAD_LETTERS" | "TOO_MANY_INBOX_ITEMS" | "TOO_MANY_ITEMS" | "TOO_MANY_KEYWORDS" | "TOO_MANY_MEDIA" | "TOO_MANY_PREFERENCES" | "TOO_MANY_RECIPIENTS" | "TOO_MANY_SIGNALS" | "TOO_MANY_TRANSFERS" | "TRACKING_NUMBER_INVALID" | "TRANSFERS_PENDING" | "TRANSFER_TO_SELF" | "TYPE_INVALID" | "URL_UNSAFE" | "VARIABLES_INVALID" | "VARIABLES_TOO_LARGE" | "VARIABLE_INVALID" | "VARIABLE_TYPE" | "VERSION_CONFLICT" | "%future added value";
export type operationsLikeMutation$variables = {
  postId: string;
};
export type operationsLikeMutation$data = {
  readonly likePost: {
    readonly post: {
      readonly id: string;
      readonly likeCount: number;
      readonly viewerHasLiked: boolean;
    } | null | undefined;
    readonly userErrors: ReadonlyArray<{
      readonly codeEnum: UserErrorCode | null | undefined;
      readonly message: string;
    }>;
  };
};
export type operationsLikeMutation = {
  response: operationsLikeMutation$data;
  variables: operationsLikeMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "postId"
  }
],
v1 = [
  {
    "alias": null,
    "args": [
      {
        "fields": [
          {
            "kind": "Variable",
            "name": "postId",
            "variableName": "postId"
          }
        ],
        "kind": "ObjectValue",
        "name": "input"
      }
    ],
    "concreteType": "LikePostPayload",
    "kind": "LinkedField",
    "name": "likePost",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "concreteType": "Post",
        "kind": "LinkedField",
        "name": "post",
        "plural": false,
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "id",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "likeCount",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "viewerHasLiked",
            "storageKey": null
          }
        ],
        "storageKey": null
      },
      {
        "alias": null,
        "args": null,
        "concreteType": "UserError",
        "kind": "LinkedField",
        "name": "userErrors",
        "plural": true,
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "codeEnum",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "message",
            "storageKey": null
          }
        ],
        "storageKey": null
      }
    ],
    "storageKey": null
  }
];
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "operationsLikeMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "operationsLikeMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "cacheID": "c3158efc44ed682df14adda9584050a3",
    "id": null,
    "metadata": {},
    "name": "operationsLikeMutation",
    "operationKind": "mutation",
    "text": "mutation operationsLikeMutation(\n  $postId: ID!\n) {\n  likePost(input: {postId: $postId}) {\n    post {\n      id\n      likeCount\n      viewerHasLiked\n    }\n    userErrors {\n      codeEnum\n      message\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "35491b0298d811a39c54fda4380fe5cf";

export default node;
