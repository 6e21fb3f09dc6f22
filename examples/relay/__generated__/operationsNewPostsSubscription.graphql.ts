/**
 * @generated SignedSource<<e3443c4a77afcba237537d2a271993e4>>
 * @relayHash ebbdf0a2fb9bf13a0922cb71dd9dd0de
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 4c41861739745796e03960a6a32bb58d98a12655abc6955489061e81bd32c7e4

import type { ConcreteRequest } from 'relay-runtime';
export type operationsNewPostsSubscription$variables = {
  after?: string | null | undefined;
  connections: ReadonlyArray<string>;
};
export type operationsNewPostsSubscription$data = {
  readonly feedUpdated: {
    readonly cursor: string;
    readonly post: {
      readonly content: string;
      readonly id: string;
      readonly likeCount: number;
      readonly viewerHasLiked: boolean;
    } | null | undefined;
  };
};
export type operationsNewPostsSubscription = {
  response: operationsNewPostsSubscription$data;
  variables: operationsNewPostsSubscription$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "after"
  },
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "connections"
  }
],
v1 = [
  {
    "kind": "Variable",
    "name": "after",
    "variableName": "after"
  }
],
v2 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "cursor",
  "storageKey": null
},
v3 = {
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
      "name": "content",
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
};
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "operationsNewPostsSubscription",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "FeedUpdate",
        "kind": "LinkedField",
        "name": "feedUpdated",
        "plural": false,
        "selections": [
          (v2/*:: as any*/),
          (v3/*:: as any*/)
        ],
        "storageKey": null
      }
    ],
    "type": "Subscription",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "operationsNewPostsSubscription",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "FeedUpdate",
        "kind": "LinkedField",
        "name": "feedUpdated",
        "plural": false,
        "selections": [
          (v2/*:: as any*/),
          (v3/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "filters": null,
            "handle": "prependNode",
            "key": "",
            "kind": "LinkedHandle",
            "name": "post",
            "handleArgs": [
              {
                "kind": "Variable",
                "name": "connections",
                "variableName": "connections"
              },
              {
                "kind": "Literal",
                "name": "edgeTypeName",
                "value": "FeedEdge"
              }
            ]
          }
        ],
        "storageKey": null
      }
    ]
  },
  "params": {
    "cacheID": "ebbdf0a2fb9bf13a0922cb71dd9dd0de",
    "id": "4c41861739745796e03960a6a32bb58d98a12655abc6955489061e81bd32c7e4",
    "metadata": {},
    "name": "operationsNewPostsSubscription",
    "operationKind": "subscription",
    "text": "subscription operationsNewPostsSubscription(\n  $after: String\n) {\n  feedUpdated(after: $after) {\n    cursor\n    post {\n      id\n      content\n      likeCount\n      viewerHasLiked\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "5ccc944c88f55ccee5a6863d7d919aaa";

export default node;
