import { inspect } from 'node:util';
import {
  buildSchema,
  defaultFieldResolver,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  responsePathAsArray,
  valueFromASTUntyped,
} from 'graphql';
import { type Random, seeded } from './seeded.js';

/** What resolvers get: they write down how they were called. */
export interface Journal {
  readonly calls: string[];
}

const sdl = `
  scalar Any
  scalar Even
  enum Colour { RED GREEN BLUE }
  input Point {
    x: Int! = 1
    y: Int = 2
    label: String
    must: Boolean!
    any: Any
    anys: [Any] = ANYS
    colour: Colour = GREEN
    colours: [[Colour!]] = [[RED], null]
    deep: Point
    list: [Point!]
    even: Even = 4
  }
  interface Node { id: ID! name: String kin(first: Int = 2): [Node!] next: Node }
  interface Named { name: String }
  type Cat implements Node & Named { id: ID! name: String kin(first: Int = 2): [Node!] next: Node! lives: Int! ${'rest'} }
  type Dog implements Node & Named { id: ID! name: String kin(first: Int = 2): [Node!] next: Node barks: [String!]! ${'rest'} }
  type Robot { model: String! owned: [Pet]! ${'rest'} }
  union Pet = Cat | Dog | Robot
  type Query { ${'rest'} }
  type Mutation { ${'rest'} }
  type Subscription { ${'rest'} }
  schema { query: Query mutation: Mutation subscription: Subscription }
`;

/** Fields of every shape. */
const rest = `
  text: String textMust: String! int: Int intMust: Int! float: Float yes: Boolean yesMust: Boolean! ident: ID
  any: Any anyMust: Any! colour: Colour colourMust: Colour! even: Even
  texts: [String] textsMust: [String!]! grid: [[Int]] gridMust: [[Int!]!]! colours: [[Colour!]] anys: [Any!]
  node: Node nodeMust: Node! nodes: [Node] nodesMust: [Node!]! named: Named pet: Pet petMust: Pet! pets: [[Pet!]] cat: Cat robot: Robot!
  robots: [Robot]
  echo(
    point: Point, must: Point!, points: [Point!], any: Any, anys: [[Any]], int: Int! = 5, text: String = "d\\n\\u00e9"
    colour: Colour = BLUE, colours: [Colour!], even: Even, ident: ID, float: Float, yes: Boolean! = true
  ): String
  at(point: Point = {must: true, deep: {must: false}}, ident: ID): Node
`;

/**
 * A schema with every shape of value and argument.
 *
 * @param anys a default of a scalar that takes any; Apollo cannot print one that holds an object
 */
export function hostileSchema({ anys = '["any", {of: null}]' } = {}): GraphQLSchema {
  const schema = buildSchema(sdl.replace('ANYS', anys).replaceAll('rest', rest));
  Object.assign(schema.getType('Any') ?? {}, {
    parseLiteral: valueFromASTUntyped,
    serialize: (value: unknown) => value,
  });
  const readEven = (value: unknown): number => {
    if (typeof value === 'number' && value % 2 === 0) return value;
    throw new TypeError('Even cannot be odd');
  };
  Object.assign(schema.getType('Even') ?? {}, {
    parseValue: readEven,
    parseLiteral: (node: { value?: string }) => readEven(Number(node.value)),
    serialize: readEven,
  });
  const robot = schema.getType('Robot');
  if (isObjectType(robot)) {
    robot.isTypeOf = (value: { seed?: string }) => {
      const random = seeded(`is ${value?.seed}`);
      const isOwn = random.chance(0.9);
      return random.chance(0.3) ? Promise.resolve(isOwn) : isOwn;
    };
  }
  return hostile(schema);
}

/**
 * Gives the fields of a schema resolvers that do everything a resolver can do, always the same at one place of an answer:
 * values, promises, nulls, values of wrong types, errors thrown, rejected and returned. A part of the fields has none, and the
 * sources properties for them.
 */
export function hostile(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isAbstractType(type)) {
      type.resolveType = (value: { seed?: string; __typename?: string }) => {
        const random = seeded(`type ${value?.seed}`);
        if (random.chance(0.02)) throw new Error('no type today');
        const wrong = random.pick([undefined, 'Nobody', 'Colour', 'Query', 5]);
        const name = random.chance(0.04) ? (wrong as string) : value?.__typename;
        return random.chance(0.3) ? Promise.resolve(name) : name;
      };
    }
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      delete field.subscribe;
      delete field.resolve;
      if (field.args.length === 0 && seeded(`${type.name}.${field.name}`).chance(0.5)) continue;
      field.resolve = (_source, args, context: Journal, info) => {
        const place = responsePathAsArray(info.path).join('.');
        context.calls.push(`${place} ${info.parentType.name} ${inspect(args, { depth: 9 })}`);
        return told(schema, field.type, `${place} ${field.name}`);
      };
    }
  }
  return schema;
}

/** What a field's resolver does at a place. */
function told(schema: GraphQLSchema, type: GraphQLOutputType, seed: string): unknown {
  const random = seeded(seed);
  const fault = random.chance(0.03);
  if (random.chance(0.5)) {
    if (fault) throw random.pick<unknown>([new Error(`thrown at ${seed}`), 'a text', undefined, { odd: 1 }]);
    return madeOf(schema, type, random, seed);
  }
  return later(random.below(4)).then(() => {
    if (fault) throw new Error(`rejected at ${seed}`);
    return madeOf(schema, type, random, seed);
  });
}

/** After so many turns of the microtask queue. */
async function later(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await undefined;
}

function madeOf(schema: GraphQLSchema, type: GraphQLOutputType, random: Random, seed: string): unknown {
  if (isNonNullType(type))
    return random.chance(0.02) ? random.pick([null, undefined]) : madeOf(schema, type.ofType, random, seed);
  if (random.chance(0.06)) return random.pick([null, undefined]);
  if (random.chance(0.02)) return new Error(`returned at ${seed}`);
  if (isListType(type)) return listOf(schema, type.ofType, random, seed);
  if (isEnumType(type)) return random.chance(0.04) ? 'PINK' : random.pick(type.getValues()).value;
  if (isScalarType(type)) return random.chance(0.1) ? random.pick(oddLeaves) : leafOf(type.name, random);
  const of = isAbstractType(type) ? random.pick(schema.getPossibleTypes(type)) : type;
  return isObjectType(of) ? sourceOf(schema, of.name, seed) : undefined;
}

function listOf(schema: GraphQLSchema, item: GraphQLOutputType, random: Random, seed: string): unknown {
  if (random.chance(0.02)) return random.pick<unknown>(['text', 5, { length: 1 }, async function* () {}]);
  const items = Array.from({ length: random.below(4) }, (_, n): unknown => {
    const value = (): unknown => madeOf(schema, item, random, `${seed} ${n}`);
    if (random.chance(0.85)) return value();
    const fault = random.chance(0.1);
    const made = value();
    return later(random.below(3)).then(() => {
      if (fault) throw new Error(`item rejected at ${seed} ${n}`);
      return made;
    });
  });
  return random.chance(0.1) ? new Set(items) : items;
}

/** An object whose properties are made when they are read, so that nothing rejects that nobody asked for. */
function sourceOf(schema: GraphQLSchema, name: string, seed: string): object {
  const type = schema.getType(name);
  const fields = isObjectType(type) ? type.getFields() : {};
  const source = { __typename: name, seed };
  for (const field of Object.values(fields)) {
    if (field.resolve && field.resolve !== defaultFieldResolver) continue;
    Object.defineProperty(source, field.name, {
      get() {
        const value = told(schema, field.type, `${seed} ${field.name}`);
        if (!seeded(`method ${seed} ${field.name}`).chance(0.05)) return value;
        return (_args: object, context: Journal, info: GraphQLResolveInfo) => {
          context.calls.push(`method ${info.parentType.name}.${info.fieldName} ${inspect(_args)}`);
          return value;
        };
      },
    });
  }
  return source;
}

const texts = [
  '',
  'plain',
  'é 🙂 "quoted"\\ \n\t\u2028 \u0001',
  '\ud800 half',
  'x'.repeat(1_001),
  '__proto__',
];

const oddLeaves: readonly unknown[] = [
  5,
  -0,
  1e21,
  Number.POSITIVE_INFINITY,
  Number.NaN,
  2 ** 31,
  0.5,
  true,
  'word',
  '12',
  10n,
  { a: [1, { b: null }] },
  [],
  { valueOf: () => 7 },
  { toJSON: () => 'json' },
  new Date(0),
];

function leafOf(scalar: string, random: Random): unknown {
  switch (scalar) {
    case 'Int':
      return random.pick([0, 1, -7, 2_147_483_647]);
    case 'Float':
      return random.pick([0, 1.5, -1e-7, 1e21]);
    case 'Boolean':
      return random.chance(0.5);
    case 'Even':
      return 2 * random.below(5);
    case 'DateTime':
      return new Date(random.below(1e9));
    case 'Any':
    case 'JSONObject':
      return random.pick<unknown>([
        { a: 1, __proto__: null, b: [{ c: 'd' }] },
        Object.fromEntries([['then', 'now']]),
        {},
      ]);
    default:
      return random.pick(texts);
  }
}
