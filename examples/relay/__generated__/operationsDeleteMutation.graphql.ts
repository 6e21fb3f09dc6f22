/**
 * @generated SignedSource<<2e7a9af3907a084c36ec3da3b40f1fe7>>
 * @relayHash f7547dfaddbba6c37b9442604206cac8
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 6a2064d15e86e85be155f89201e3d70ba2aecd1e65d92cf010d69d9ba1379812

import type { ConcreteRequest } from 'relay-runtime';
export type UserErrorCode = "ACCOUNT_CLOSED" | "ACCOUNT_EXISTS" | "ACCOUNT_NOT_EMPTY" | "ACCOUNT_NOT_FOUND" | "ACTION_ID_INVALID" | "ADDRESS_INVALID" | "AMOUNT_INVALID" | "AMOUNT_NOT_POSITIVE" | "AMOUNT_TOO_LARGE" | "AMOUNT_TOO_PRECISE" | "APP_VERSION_INVALID" | "ATTRIBUTE_BEING_DELETED" | "ATTRIBUTE_NAME_INVALID" | "ATTRIBUTE_TYPE" | "ATTRIBUTE_UNKNOWN" | "ATTRIBUTE_VALUE_INVALID" | "AUTHOR_NOT_FOUND" | "AVATAR_URL_INVALID" | "BAD_CURSOR" | "BATCH_ID_REUSED" | "BLOCKED" | "BODY_REQUIRED" | "CAMPAIGN_OVER" | "CANNOT_BLOCK_YOURSELF" | "CANNOT_FOLLOW_YOURSELF" | "CANNOT_MUTE_YOURSELF" | "CHANNEL_WITHOUT_ADDRESSES" | "COMMAND_ID_REUSED" | "COMMENT_NOT_FOUND" | "CONFLICT" | "CONTENT_EMPTY" | "CONTENT_INVALID" | "CONTENT_REJECTED" | "CONTENT_TOO_LONG" | "CREDIT_LIMIT_EXCEEDED" | "CREDIT_LIMIT_FORBIDDEN" | "CREDIT_LIMIT_INVALID" | "CURRENCY_MISMATCH" | "CURRENCY_UNKNOWN" | "CUSTOMER_EXISTS" | "CUSTOMER_NOT_FOUND" | "DELIVERY_NOT_FOUND" | "DELIVERY_NOT_SENT" | "DESCRIPTION_INVALID" | "DEVICE_NOT_FOUND" | "DISPLAY_NAME_EMPTY" | "DISPLAY_NAME_INVALID" | "DISPLAY_NAME_TOO_LONG" | "EMAIL_INVALID" | "ENDS_BEFORE_START" | "ENGAGEMENT_NOT_FOR_CHANNEL" | "ESTIMATE_INVALID" | "EVENT_TYPE_UNKNOWN" | "EXPIRES_IN_PAST" | "FALLBACK_REPEATED" | "FIELD_NOT_FOR_CHANNEL" | "FILTER_INVALID" | "FILTER_TOO_SLOW" | "FORBIDDEN" | "GROUP_INVALID" | "HTML_UNSAFE" | "IDEMPOTENCY_KEY_INVALID" | "IDEMPOTENCY_KEY_REUSED" | "ID_INVALID" | "INACTIVE_CUSTOMER" | "INSUFFICIENT_FUNDS" | "ITEMS_EMPTY" | "KEYWORD_EMPTY" | "KEYWORD_INVALID" | "KEYWORD_TOO_LONG" | "LANGUAGE_INVALID" | "MEDIA_FAILED" | "MEDIA_NOT_FOUND" | "MISSING_VARIABLE" | "NAME_INVALID" | "NOTE_INVALID" | "NOTHING_TO_CHANGE" | "NOTHING_TO_SEND" | "NOTIFICATION_ID_REUSED" | "NOT_FOLLOWING" | "NOT_FOUND" | "NOT_SHAREABLE" | "NO_CHANNELS" | "NO_DEAD_LETTERS" | "NO_PREFERENCES" | "NO_RECIPIENTS" | "NO_USERS" | "ORDER_CANCELLED" | "ORDER_EXISTS" | "ORDER_NOT_FOUND" | "ORDER_SHIPPED" | "OUT_OF_STOCK" | "PAYMENT_TOO_LARGE" | "PHONE_INVALID" | "PLAN_INVALID" | "POST_NOT_PUBLIC" | "PRICE_CHANGED" | "PRODUCT_NOT_FOUND" | "PROJECTOR_NOT_FOUND" | "PROJECTOR_NOT_REBUILDABLE" | "PROJECTOR_RUNNING" | "PUSH_SERVICE_UNKNOWN" | "QUANTITY_INVALID" | "QUIET_HOURS_INCOMPLETE" | "RATE_INVALID" | "RATE_LIMIT_RULES_INVALID" | "RATE_LIMIT_RULES_UNREACHABLE" | "REASON_INVALID" | "REFERENCE_INVALID" | "RENDERED_TOO_LARGE" | "REPLAY_WHAT" | "RRULE_INVALID" | "RRULE_NEVER" | "RRULE_TOO_OFTEN" | "SCHEDULE_AFTER_EXPIRY" | "SCHEDULE_ID_REUSED" | "SCHEDULE_IN_PAST" | "SCHEDULE_MISSING" | "SCHEDULE_OVER" | "SCHEDULE_TOO_FAR" | "SCHEDULE_TOO_LARGE" | "SIGNAL_INVALID" | "STOCK_INVALID" | "STOCK_RESERVED" | "SUBSCRIPTION_INVALID" | "TAG_MISPLACED" | "TEMPLATE_ID_TAKEN" | "TEMPLATE_LIMIT" | "TEMPLATE_NOT_FOR_CHANNEL" | "TEMPLATE_NOT_FOUND" | "TEMPLATE_OR_DRAFT" | "TEMPLATE_SYNTAX" | "TEXT_INVALID" | "TEXT_TOO_LONG" | "TIMEZONE_UNKNOWN" | "TOKEN_INVALID" | "TOO_MANY_ATTRIBUTES" | "TOO_MANY_CAMPAIGNS" | "TOO_MANY_DEAD_LETTERS" | "TOO_MANY_INBOX_ITEMS" | "TOO_MANY_ITEMS" | "TOO_MANY_KEYWORDS" | "TOO_MANY_MEDIA" | "TOO_MANY_PREFERENCES" | "TOO_MANY_RECIPIENTS" | "TOO_MANY_SCHEDULES" | "TOO_MANY_SIGNALS" | "TOO_MANY_TRANSFERS" | "TOO_MANY_TYPES" | "TOO_MANY_USERS" | "TOO_MANY_WEBHOOKS" | "TRACKING_NUMBER_INVALID" | "TRANSFERS_PENDING" | "TRANSFER_TO_SELF" | "TYPE_INVALID" | "URL_UNSAFE" | "VARIABLES_INVALID" | "VARIABLES_TOO_LARGE" | "VARIABLE_INVALID" | "VARIABLE_TYPE" | "VERSION_CONFLICT" | "WEBHOOK_KEY_MISSING" | "WEBHOOK_URL_REFUSED" | "WINDOW_INVALID" | "%future added value";
export type operationsDeleteMutation$variables = {
  postId: string;
};
export type operationsDeleteMutation$data = {
  readonly deletePost: {
    readonly deletedId: string | null | undefined;
    readonly userErrors: ReadonlyArray<{
      readonly codeEnum: UserErrorCode | null | undefined;
      readonly message: string;
    }>;
  };
};
export type operationsDeleteMutation = {
  response: operationsDeleteMutation$data;
  variables: operationsDeleteMutation$variables;
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
v2 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "deletedId",
  "storageKey": null
},
v3 = {
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
};
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "operationsDeleteMutation",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "DeletePostPayload",
        "kind": "LinkedField",
        "name": "deletePost",
        "plural": false,
        "selections": [
          (v2/*:: as any*/),
          (v3/*:: as any*/)
        ],
        "storageKey": null
      }
    ],
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "operationsDeleteMutation",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "DeletePostPayload",
        "kind": "LinkedField",
        "name": "deletePost",
        "plural": false,
        "selections": [
          (v2/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "filters": null,
            "handle": "deleteRecord",
            "key": "",
            "kind": "ScalarHandle",
            "name": "deletedId"
          },
          (v3/*:: as any*/)
        ],
        "storageKey": null
      }
    ]
  },
  "params": {
    "cacheID": "f7547dfaddbba6c37b9442604206cac8",
    "id": "6a2064d15e86e85be155f89201e3d70ba2aecd1e65d92cf010d69d9ba1379812",
    "metadata": {},
    "name": "operationsDeleteMutation",
    "operationKind": "mutation",
    "text": "mutation operationsDeleteMutation(\n  $postId: ID!\n) {\n  deletePost(input: {postId: $postId}) {\n    deletedId\n    userErrors {\n      codeEnum\n      message\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "be6cf41f7a514ed12241d08cdd9e80bc";

export default node;
