import {
  type GraphQLArgument,
  type GraphQLField,
  GraphQLID,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { typesNamedBy } from './global-ids.js';

type Described = { name: string; description: string | null | undefined };

/**
 * Describes whatever is described by its place in the schema's conventions: edges, inputs, payloads and
 * ids. What a decorator describes keeps its own description.
 */
export function describeByConvention(schema: GraphQLSchema): void {
  const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});
  const mutationOf = new Map(mutations.map((name) => [`${name[0]!.toUpperCase()}${name.slice(1)}`, name]));
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isInputObjectType(type)) {
      const mutation = mutationOf.get(type.name.replace(/Input$/, ''));
      describe(type, mutation && `What \`${mutation}\` takes.`);
      for (const field of Object.values(type.getFields())) describe(field, ofIdInput(field));
    }
    if (isObjectType(type) || isInterfaceType(type)) {
      describe(type, ofObject(type, mutationOf));
      for (const field of Object.values(type.getFields())) {
        describe(field, ofField(type, field));
        for (const arg of field.args) describe(arg, ofArgument(arg, type));
      }
    }
  }
}

function describe(part: Described, description: string | undefined): void {
  part.description ??= description;
}

function ofObject({ name }: GraphQLNamedType, mutationOf: ReadonlyMap<string, string>): string | undefined {
  const mutation = mutationOf.get(name.replace(/Payload$/, ''));
  if (mutation && name.endsWith('Payload'))
    return `What \`${mutation}\` answers. Where \`userErrors\` is not empty, nothing was changed.`;
  if (Object.hasOwn(OF_ROOT, name)) return OF_ROOT[name];
  if (name.endsWith('Edge')) return 'One item of a page, with its cursor.';
  return undefined;
}

function ofField(type: GraphQLNamedType, field: GraphQLField<unknown, unknown>): string | undefined {
  const isId = getNamedType(field.type) === GraphQLID;
  if (field.name === 'userErrors') return 'Why it was refused; empty where it was done.';
  if (field.name === 'id' && isId)
    return 'The global id: unique among all objects of the API, so a cache may keep the object under it. Opaque.';
  if (type.name.endsWith('Payload') && isObjectType(getNamedType(field.type))) {
    const object = wordsOf(getNamedType(field.type).name);
    const changed = object.endsWith('s') ? 'as they are' : 'as it is';
    return `The ${object} ${changed} after the change. Null where the mutation was refused.`;
  }
  const named = isId ? typesNamedBy(field.name) : undefined;
  if (named?.[0] === type.name) return 'The raw id. Arguments take it as well as the global `id`.';
  return named && `The raw id of the ${wordsOf(named[0]!)}.`;
}

const OF_ROOT: Readonly<Record<string, string>> = {
  Query: 'Everything that can be read. What there is not, and what the caller may not see, is null.',
  Mutation:
    "Everything that can be changed. Root fields run one after the other. Expected refusals stand in the payload's `userErrors`.",
  Subscription:
    'Everything that can be followed, over WebSocket with the protocol graphql-transport-ws. Every subscription resumes: pass the last `cursor` that was received as `after`, and nothing in between is missed or repeated.',
};

function ofArgument(arg: GraphQLArgument, type: GraphQLNamedType): string | undefined {
  if (arg.name === 'input') return 'What to do; each of its fields says what it takes.';
  if (arg.name === 'after' && type.name === 'Subscription')
    return 'The `cursor` of the last update that was received: what came since is sent first. Absent: from now on.';
  return ofIdInput(arg);
}

function ofIdInput({ name, type }: GraphQLArgument | GraphQLInputField): string | undefined {
  const named = getNamedType(type) === GraphQLID ? typesNamedBy(name) : undefined;
  if (!named) return undefined;
  const words = named.map(wordsOf).join(' or ');
  return name.endsWith('s')
    ? `The ${words} objects, each by its raw id or its global id.`
    : `The ${words}, by its raw id or its global id.`;
}

/** `InboxItem` as `inbox item`. */
const wordsOf = (type: string): string => type.replace(/(?<=[a-z])[A-Z]/g, ' $&').toLowerCase();
