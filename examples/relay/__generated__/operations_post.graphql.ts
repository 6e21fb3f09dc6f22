/**
 * @generated SignedSource<<9ac68f8e21228bbb410efc3e974bb0c9>>
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

(node as any).hash = "dca4dc7e6ba928a14c1b4beed3a5c757";

export default node;
