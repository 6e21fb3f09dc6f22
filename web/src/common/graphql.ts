import { gql } from '@apollo/client';
import { createFragmentRegistry } from '@apollo/client/cache';
import type { graphql as typed } from '../generated/gql.js';

/** Fragments by name: a document names them, and the cache finds them here. */
export const fragments = createFragmentRegistry();

/** Ids of the persisted documents that have been loaded, by the names of their operations. */
export const documentIds = new Map<string, string>();

/**
 * A document of the API, with the types that `npm run codegen` wrote for it. A document of fragments alone is registered.
 *
 * @param id of the document among the persisted ones, which the build adds: see `documentIds` of its plugins
 */
export const graphql = ((text: string, id?: string) => {
  const document = gql(text);
  const operation = document.definitions.find((definition) => definition.kind === 'OperationDefinition');
  if (!operation) fragments.register(document);
  else if (id && operation.name) documentIds.set(operation.name.value, id);
  return document;
}) as typeof typed;
