import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLArgument,
  GraphQLID,
  type GraphQLInputField,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { beforeEach, describe, expect, it } from 'vitest';
import { nodeTypes } from '../../src/resolvers/node.js';
import { deviceRawId, takeGlobalIds, typesNamedBy } from '../../src/schema/global-ids.js';
import { toGlobalId } from '../../src/schema/relay.js';

const sdl = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
const me = { viewer: { userId: 'ann' } };

/** The emitted schema with resolvers that answer the arguments that they were given. */
const schema = buildSchema(sdl);
for (const type of Object.values(schema.getTypeMap()))
  if (isObjectType(type))
    for (const field of Object.values(type.getFields())) {
      field.resolve = (_source, args) => args;
      if (type.name === 'Subscription') field.subscribe = field.resolve;
    }
takeGlobalIds(schema);

interface Place {
  /** As `Mutation.deposit(input.accountId)`. */
  readonly name: string;
  /** The id argument or input field itself. */
  readonly member: string;
  given(id: string): unknown;
}

/** Every place of the schema that takes an id, found by walking through arguments and input types. */
const places: Place[] = Object.values(schema.getTypeMap()).flatMap((type) =>
  isObjectType(type)
    ? Object.values(type.getFields()).flatMap((field) =>
        field.args.flatMap((arg) =>
          placesIn(arg, [arg.name]).map(({ path, member, value }) => ({
            name: `${type.name}.${field.name}(${path.join('.')})`,
            member,
            given(id: string) {
              const ask = type.name === 'Subscription' ? field.subscribe! : field.resolve!;
              return read(ask(null, { [arg.name]: value(id) }, me, {} as never), path);
            },
          })),
        ),
      )
    : [],
);

function placesIn(
  { name, type }: GraphQLArgument | GraphQLInputField,
  path: string[],
): { path: string[]; member: string; value: (id: string) => unknown }[] {
  const named = getNamedType(type);
  const bare = isNonNullType(type) ? type.ofType : type;
  const wrap = (value: unknown) => (isListType(bare) ? [value] : value);
  const here = isListType(bare) ? [...path, '0'] : path;
  if (named === GraphQLID) return [{ path: here, member: name, value: wrap }];
  if (!isInputObjectType(named)) return [];
  return Object.values(named.getFields()).flatMap((field) =>
    placesIn(field, [...here, field.name]).map((place) => ({
      ...place,
      value: (id: string) => wrap({ [field.name]: place.value(id) }),
    })),
  );
}

const read = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], value);

const rawOf = (type: string) => (type === 'Device' ? deviceRawId('ann', 'raw-1') : 'raw-1');
const readingPlaces = places.filter(({ member }) => typesNamedBy(member));

it('is found by `node` for every type that implements Node, and for no other', () => {
  const node = schema.getType('Node');
  const types = isInterfaceType(node) ? schema.getPossibleTypes(node).map(({ name }) => name) : [];
  expect([...nodeTypes].sort()).toEqual([...types].sort());
});

describe('every argument that takes an id', () => {
  beforeEach(() => expect(readingPlaces.length).toBeGreaterThan(60));

  it.each(readingPlaces)('$name takes a raw id as it is', ({ given }) => {
    expect(given('raw-1')).toBe('raw-1');
  });

  it.each(readingPlaces)('$name takes a global id for the raw one', ({ given, member }) => {
    for (const type of typesNamedBy(member)!) expect(given(toGlobalId(type, rawOf(type)))).toBe('raw-1');
  });

  it.each(readingPlaces)(
    '$name refuses the global id of another type, and names itself',
    ({ name, given, member }) => {
      const other = typesNamedBy(member)!.includes('User') ? 'Post' : 'User';
      const path = /\((.*)\)/.exec(name)![1]!.split('.');
      expect(() => given(toGlobalId(other, 'x'))).toThrow(
        expect.objectContaining({ code: 'BAD_USER_INPUT', argument: path }),
      );
    },
  );
});

describe('an id', () => {
  const userId = readingPlaces.find(({ name }) => name === 'Mutation.followUser(input.userId)')!.given;

  it('that looks like base64 and is no global id stays as it is', () => {
    const encoded = (text: string) => Buffer.from(text).toString('base64url');
    for (const raw of ['YWxpY2U', encoded('user:alice'), encoded('Nothing:alice'), encoded(':alice'), 'User'])
      expect(userId(raw)).toBe(raw);
    expect(userId(`${toGlobalId('User', 'alice')}=`)).toBe(`${toGlobalId('User', 'alice')}=`);
  });

  it('that is a raw one and reads as a global id all the same is named by its own global id', () => {
    const raw = toGlobalId('User', 'alice');
    expect(userId(toGlobalId('User', raw))).toBe(raw);
  });

  it('of any letters comes out of its global id as it went in', () => {
    for (const raw of ['a:b', 'ü😀', ' ', '{"a":1}']) expect(userId(toGlobalId('User', raw))).toBe(raw);
  });

  it("of another user's device is not that of a device of one's own", () => {
    const deviceId = readingPlaces.find(({ name }) => name.startsWith('Mutation.unregisterDevice'))!.given;
    expect(() => deviceId(toGlobalId('Device', deviceRawId('bob', 'phone')))).toThrow(
      expect.objectContaining({ code: 'BAD_USER_INPUT' }),
    );
  });

  it('that its caller makes up is never read', () => {
    const own = places.filter(({ member }) => !typesNamedBy(member));
    expect(new Set(own.map(({ member }) => member))).toEqual(
      new Set(['id', 'ids', 'commandId', 'notificationId', 'batchId', 'scheduleId']),
    );
    const global = toGlobalId('Order', 'x');
    for (const { given } of own) expect(given(global)).toBe(global);
  });
});
