// A document transform of GraphQL Code Generator: adds `__typename` where Apollo Client and urql add it before they send a
// document, so that the one that stands in the file of persisted documents answers the same.
import { Kind, visit } from 'graphql';

const typename = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };
const isTypename = ({ kind, name, alias }) => kind === Kind.FIELD && name.value === '__typename' && !alias;

const withTypename = (document) =>
  visit(document, {
    SelectionSet(node, _key, parent) {
      if (parent.kind === Kind.OPERATION_DEFINITION || node.selections.some(isTypename)) return undefined;
      return { ...node, selections: [...node.selections, typename] };
    },
  });

export const transform = ({ documents }) =>
  documents.map((file) => ({ ...file, document: file.document && withTypename(file.document) }));
