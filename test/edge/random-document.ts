import {
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  isUnionType,
  type OperationTypeNode,
} from 'graphql';
import { type Random, seeded } from './seeded.js';

export interface Drawn {
  readonly source: string;
  /** As a client would send them. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** As another would, of the same document: others are absent, null or left to their defaults. */
  readonly otherVariables: Readonly<Record<string, unknown>>;
}

/** Aliases that are something else in JavaScript. */
const ODD_ALIASES = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'then',
  'toJSON',
  'length',
  'class',
];
const DEPTH = 3;
const KINDS = ['query', 'query', 'query', 'query', 'mutation', 'subscription'] as const;

/** An operation with everything that a document may hold, and variables for it: the same for the same seed. */
export function drawDocument(schema: GraphQLSchema, seed: string): Drawn {
  const random = seeded(seed);
  const { variable, definitions, variables, otherVariables } = drawVariables(random);
  const fragments: string[] = [];
  const odd = [...ODD_ALIASES];
  let aliases = 0;

  const kind = random.pick(KINDS);
  const root = schema.getRootType(kind as OperationTypeNode)!;
  const set = kind === 'subscription' ? `{ ${fieldOf(root, DEPTH, true)} }` : selections(root, DEPTH);
  const declared = definitions.length > 0 ? `(${definitions.join(', ')})` : '';
  return {
    source: [`${kind} Drawn${declared} ${set}`, ...fragments].join('\n'),
    variables,
    otherVariables,
  };

  function selections(type: GraphQLCompositeType, depth: number): string {
    const parts = Array.from({ length: 1 + random.below(3) }, () => selection(type, depth));
    if (random.chance(0.1)) parts.push(random.pick(parts));
    return `{ ${parts.join(' ')} }`;
  }

  function selection(type: GraphQLCompositeType, depth: number): string {
    if (random.chance(0.1)) return `${random.chance(0.5) ? alias() : ''}__typename ${condition()}`;
    if (type === schema.getQueryType() && random.chance(0.03))
      return `${alias()}__type(name: ${random.chance(0.5) ? '"Node"' : variable('String!', () => 'Cat')}) { kind name }`;
    if (random.chance(0.12)) {
      const on = narrowed(type);
      const named = on === type && random.chance(0.4) ? '' : `on ${on.name}`;
      return `... ${named} ${condition()} ${selections(on, depth)}`;
    }
    if (random.chance(0.1)) {
      const on = narrowed(type);
      const name = `F${fragments.length}`;
      const at = fragments.push('') - 1;
      fragments[at] = `fragment ${name} on ${on.name} ${selections(on, depth)}`;
      return `...${name} ${condition()} ${random.chance(0.3) ? `...${name} ${condition()}` : ''}`;
    }
    return isUnionType(type) ? '__typename' : fieldOf(type, depth, false);
  }

  function narrowed(type: GraphQLCompositeType): GraphQLCompositeType {
    return isAbstractType(type) && random.chance(0.7) ? random.pick(schema.getPossibleTypes(type)) : type;
  }

  function fieldOf(type: GraphQLCompositeType, depth: number, isAlone: boolean): string {
    const fields = isUnionType(type) ? [] : Object.values(type.getFields());
    const shallow = fields.filter((field) => depth > 0 || !isCompositeType(getNamedType(field.type)));
    if (shallow.length === 0) return '__typename';
    const { name, args, type: returned } = random.pick(shallow);
    const of = getNamedType(returned);
    const below = isCompositeType(of) ? selections(of, depth - 1) : '';
    const given = args.flatMap((arg) =>
      isRequiredArgument(arg) || random.chance(0.5) ? `${arg.name}: ${argument(arg)}` : [],
    );
    // Arguments of fields that stand twice under one key would have to be the same.
    const key = given.length > 0 || args.length > 0 || random.chance(0.3) ? alias() : '';
    return `${key}${name}${given.length > 0 ? `(${given.join(', ')})` : ''} ${isAlone ? '' : condition()} ${below}`;
  }

  function alias(): string {
    aliases += 1;
    const name =
      random.chance(0.1) && odd.length > 0 ? odd.splice(random.below(odd.length), 1)[0] : `a${aliases}`;
    return `${name}: `;
  }

  function condition(): string {
    const draw = () =>
      random.chance(0.4) ? String(random.chance(0.5)) : variable('Boolean!', () => random.chance(0.5));
    const drawn = ['@skip', '@include'].filter(() => random.chance(0.08));
    return drawn.map((directive) => `${directive}(if: ${draw()})`).join(' ');
  }

  function argument({ type, defaultValue }: GraphQLArgument): string {
    return literal(type, 3, defaultValue !== undefined);
  }

  /** @param isOptional where a default stands in: a variable may be nullable there */
  function literal(type: GraphQLInputType, depth: number, isOptional: boolean): string {
    if (random.chance(0.25)) {
      const nullable = isNonNullType(type) && isOptional && random.chance(0.5) ? type.ofType : type;
      return variable(String(nullable), () => json(nullable, depth));
    }
    if (isNonNullType(type)) return literalOf(type.ofType, depth);
    return random.chance(0.1) ? 'null' : literalOf(type, depth);
  }

  function literalOf(type: GraphQLInputType, depth: number): string {
    if (isNonNullType(type)) return literalOf(type.ofType, depth);
    if (isListType(type)) {
      if (random.chance(0.3)) return literalOf(type.ofType, depth);
      return `[${Array.from({ length: random.below(3) }, () => literal(type.ofType, depth - 1, false)).join(' ')}]`;
    }
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter(
        (field) => isRequiredInputField(field) || (depth > 0 && random.chance(0.4)),
      );
      const members = fields.map(
        (field) => `${field.name}: ${literal(field.type, depth - 1, field.defaultValue !== undefined)}`,
      );
      return `{${members.join(', ')}}`;
    }
    if (isEnumType(type)) return random.pick(type.getValues()).name;
    if (type.name === 'Any' || type.name === 'JSONObject')
      return anyLiteral(depth, type.name === 'JSONObject');
    return JSON.stringify(leaf(type.name)).replace(/^"(12|-3)"$/, '$1');
  }

  /** A literal of a scalar that takes any: with variables wherever they may stand. */
  function anyLiteral(depth: number, isObject: boolean): string {
    if (!isObject && random.chance(0.2))
      return variable(random.pick(['Int', 'String', 'Int!']), () => 3, 'loose');
    if (!isObject && (depth <= 0 || random.chance(0.3)))
      return random.pick([
        '1',
        'null',
        '"text"',
        'ENUM',
        'true',
        '1e400',
        '"""block\n  text"""',
        '98765432109876543210',
      ]);
    const inner = () => anyLiteral(depth - 1, false);
    return random.chance(0.5) || isObject
      ? `{a: ${inner()}, __proto__: ${inner()}}`
      : `[${inner()} ${inner()}]`;
  }

  function json(type: GraphQLInputType, depth: number): unknown {
    if (isNonNullType(type)) return jsonOf(type.ofType, depth);
    return random.chance(0.15) ? null : jsonOf(type, depth);
  }

  function jsonOf(type: GraphQLInputType, depth: number): unknown {
    if (isNonNullType(type)) return jsonOf(type.ofType, depth);
    if (isListType(type)) {
      if (random.chance(0.3)) return jsonOf(type.ofType, depth);
      return Array.from({ length: random.below(3) }, () => json(type.ofType, depth - 1));
    }
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter(
        (field) => isRequiredInputField(field) || (depth > 0 && random.chance(0.4)),
      );
      return Object.fromEntries(fields.map((field) => [field.name, json(field.type, depth - 1)]));
    }
    if (isEnumType(type)) return random.pick(type.getValues()).name;
    if (type.name === 'Any' || type.name === 'JSONObject') return { any: [null, 1, { b: 'c' }] };
    return leaf(type.name);
  }

  function leaf(scalar: string): unknown {
    switch (scalar) {
      case 'Int':
        return random.pick([0, -7, 2_147_483_647]);
      case 'Float':
        return random.pick([0, 1.5, 3, 1e21]);
      case 'Boolean':
        return random.chance(0.5);
      case 'Even':
        return 2 * random.below(5);
      case 'ID':
        return random.pick(['12', '-3', 'id', 'é"\\\n']);
      case 'DateTime':
        return '2026-01-02T03:04:05Z';
      default:
        return random.pick(['', 'text', 'é 🙂 "quoted"\\\n', '1.50']);
    }
  }
}

function drawVariables(random: Random) {
  const definitions: string[] = [];
  const variables: Record<string, unknown> = {};
  const otherVariables: Record<string, unknown> = {};
  const known = new Map<string, string>();
  /** A variable of a type, given, null, absent or with a default; one that is there already is taken at times. */
  const variable = (type: string, value: () => unknown, looseness = ''): string => {
    const kind = `${type}${looseness}`;
    const old = known.get(kind);
    if (old && random.chance(0.4)) return old;
    const name = `$v${definitions.length}`;
    known.set(kind, name);
    const isScalar = /^(Int|Float|Boolean|String)!?$/.test(type);
    const fallback = isScalar && random.chance(0.3) ? ` = ${JSON.stringify(plainOf(type))}` : '';
    // A nullable variable with a default may stand where null may not.
    const declared = fallback && random.chance(0.5) ? type.replace('!', '') : type;
    definitions.push(`${name}: ${declared}${fallback}`);
    const mayBeAbsent = !declared.endsWith('!') || fallback;
    const mayBeNull = !declared.endsWith('!');
    for (const given of [variables, otherVariables]) {
      if (mayBeAbsent && random.chance(0.35)) continue;
      given[name.slice(1)] = mayBeNull && random.chance(0.2) ? null : value();
    }
    return name;
  };
  return { variable, definitions, variables, otherVariables };
}

const plainOf = (type: string): unknown =>
  ({ Int: 3, Float: 2.5, Boolean: true, String: 'default' })[type.replace('!', '')];
