import type { DocumentNode } from 'graphql';

/** The `extensions` of a request that names its document by an id. */
export const named = (id: string) => ({ persistedQuery: { version: 1 as const, sha256Hash: id } });

/** The id that codegen wrote into a document, which is its id in `generated/persisted-documents.json`. */
export function idOf(document: DocumentNode): string {
  const { __meta__: meta } = document as { readonly __meta__?: { readonly hash: string } };
  if (!meta) throw new Error('the document has no id: it is none of those that codegen made');
  return meta.hash;
}
