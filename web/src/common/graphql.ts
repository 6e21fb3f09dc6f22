import { gql } from '@apollo/client';
import { createFragmentRegistry } from '@apollo/client/cache';
import type { graphql as typed } from '../generated/gql.js';

/** Fragments by name: a document names them, and the cache finds them here. */
export const fragments = createFragmentRegistry();

/** A document of the API, with the types that `npm run codegen` wrote for it. A document of fragments alone is registered. */
export const graphql = ((text: string) => {
  const document = gql(text);
  if (document.definitions.every(({ kind }) => kind === 'FragmentDefinition')) fragments.register(document);
  return document;
}) as typeof typed;
