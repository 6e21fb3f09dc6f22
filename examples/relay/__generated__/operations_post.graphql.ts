/**
 * @generated SignedSource<<34a952fe951717e9d9d1e6cba086e248>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import type { ReaderFragment } from 'relay-runtime';
import type { FragmentRefs } from "relay-runtime";
export type operations_post$data = {
  readonly content: string;
  readonly id: string;
  readonly likeCount: number;
  readonly postId: string;
  readonly viewerHasLiked: boolean;
  readonly " $fragmentType": "operations_post";
};
export type operations_post$key = {
  readonly " $data"?: operations_post$data;
  readonly " $fragmentSpreads": FragmentRefs<"operations_post">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "operations_post",
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
      "name": "postId",
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
  "type": "Post",
  "abstractKey": null
};

(node as any).hash = "d08d8da542e60735df1e89704cc8aa20";

export default node;
