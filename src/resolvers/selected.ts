import { type GraphQLResolveInfo, getNamedType, isObjectType } from 'graphql';
import { collectFields } from '../edge/graphql/collect-fields.js';

/** Whether the operation selects this field, under whatever alias, of the object that the current field answers. */
export function isSelected(info: GraphQLResolveInfo, name: string): boolean {
  const type = getNamedType(info.returnType);
  if (!isObjectType(type)) return false;
  const { schema, fragments, fieldNodes, variableValues } = info;
  const sets = fieldNodes.flatMap(({ selectionSet }) => selectionSet ?? []);
  const fields = collectFields(
    { schema, fragments: new Map(Object.entries(fragments)) },
    type,
    sets,
    variableValues,
  );
  return [...fields.values()].some(([field]) => field.name.value === name);
}
