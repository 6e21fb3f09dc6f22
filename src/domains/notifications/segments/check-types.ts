import type { UserError } from '../../../platform/errors.js';
import { platforms } from '../types.js';
import {
  type AttributeType,
  type AttributeTypes,
  BUILT_INS,
  HAS_DEVICE,
  isBuiltIn,
  TYPE_NAMES,
} from './attribute-types.js';
import {
  type Filter,
  type Literal,
  literalsOf,
  type Position,
  type Predicate,
  predicatesOf,
} from './filter.js';
import { nearestName } from './nearest-name.js';

/** What is wrong with a filter, and where. */
export interface TypeFault extends Pick<UserError, 'code' | 'message'> {
  readonly at: Position;
}

/** The type of what a filter may ask about; undefined where there is nothing of that name. */
export const typeOf = (name: string, attributes: AttributeTypes): AttributeType | undefined =>
  isBuiltIn(name) ? BUILT_INS[name] : attributes.get(name);

/** So many are reported. */
const MAX_FAULTS = 10;

/** The first faults of a filter's names and types, in the order of its text. The first name that is unknown comes with the nearest one. */
export function checkTypes(filter: Filter, attributes: AttributeTypes): readonly TypeFault[] {
  const faults: TypeFault[] = [];
  for (const predicate of predicatesOf(filter)) {
    const isFirst = faults.every(({ code }) => code !== 'ATTRIBUTE_UNKNOWN');
    faults.push(...checkPredicate(predicate, attributes, isFirst));
    if (faults.length >= MAX_FAULTS) break;
  }
  return faults.slice(0, MAX_FAULTS);
}

function checkPredicate(
  predicate: Predicate,
  attributes: AttributeTypes,
  withHint: boolean,
): readonly TypeFault[] {
  const { name, at } = predicate;
  if (predicate.kind === 'call') return checkCall(name, predicate.argument, at);
  const type = typeOf(name, attributes);
  if (type === undefined) return [unknown(name, at, attributes, withHint)];
  const misuse = misuseOf(predicate, type);
  if (misuse) return [{ code: 'ATTRIBUTE_TYPE', message: `${name} is ${TYPE_NAMES[type]}: ${misuse}`, at }];
  return literalsOf(predicate).flatMap((literal) => checkLiteral(name, type, literal));
}

function unknown(name: string, at: Position, attributes: AttributeTypes, withHint: boolean): TypeFault {
  if (name === HAS_DEVICE) {
    return {
      code: 'FILTER_INVALID',
      message: `${HAS_DEVICE} asks about a platform: ${HAS_DEVICE}("IOS")`,
      at,
    };
  }
  const nearest = withHint ? nearestName(name, [...Object.keys(BUILT_INS), ...attributes.keys()]) : undefined;
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  return { code: 'ATTRIBUTE_UNKNOWN', message: `nobody has an attribute ${name}${hint}`, at };
}

function checkCall(name: string, argument: Literal, at: Position): readonly TypeFault[] {
  if (name !== HAS_DEVICE) {
    const message = `there is no ${name}(…); only ${HAS_DEVICE}("IOS") takes an argument`;
    return [{ code: 'FILTER_INVALID', message, at }];
  }
  const names = platforms.map((platform) => platform.toUpperCase());
  if (argument.kind === 'string' && names.includes(argument.value)) return [];
  const message = `${HAS_DEVICE} takes one of ${names.map((one) => `"${one}"`).join(', ')}`;
  return [{ code: 'FILTER_INVALID', message, at: argument.at }];
}

/** What the question cannot ask of an attribute of this type, if so. */
function misuseOf(predicate: Predicate, type: AttributeType): string | undefined {
  switch (predicate.kind) {
    case 'contains':
      return type === 'strings' ? undefined : 'contains asks about lists';
    case 'in':
      return type === 'strings' ? 'it can be asked by contains and exists' : undefined;
    case 'compare':
      if (type === 'strings') return 'it can be asked by contains and exists';
      if (type === 'boolean' && /[<>]/.test(predicate.comparison)) return 'it has no order, only = and !=';
      return undefined;
    case 'exists':
    case 'call':
      return undefined;
    default:
      return predicate satisfies never;
  }
}

const LITERAL_TYPES = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  instant: 'datetime',
  now: 'datetime',
} as const satisfies Record<Literal['kind'], AttributeType>;

function checkLiteral(name: string, type: AttributeType, literal: Literal): readonly TypeFault[] {
  const given = LITERAL_TYPES[literal.kind];
  const wanted = type === 'strings' ? 'string' : type;
  if (given === wanted) return [];
  const hint = wanted === 'datetime' ? '; dates are written without quotes, 2026-01-31 or now() - 7d' : '';
  const message = `${name} is ${TYPE_NAMES[type]} and cannot be compared with ${TYPE_NAMES[given]}${hint}`;
  return [{ code: 'ATTRIBUTE_TYPE', message, at: literal.at }];
}
