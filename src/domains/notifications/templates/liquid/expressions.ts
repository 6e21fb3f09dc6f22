import type { PropertyAccessToken, Token, Tokenizer, ValueToken } from 'liquidjs';
import { compileFilter } from './filters.js';
import { LiquidFault, type Source } from './position.js';
import type { Read } from './run.js';
import type { Binding, Scope } from './scope.js';
import {
  isLiteralToken,
  isNumberToken,
  isOperatorToken,
  isPropertyAccessToken,
  isQuotedToken,
  isWordToken,
} from './tokens.js';
import { BLANK, EMPTY, isTruthy, memberOf, operators } from './values.js';

/** Where an expression stands: its text, and the names that it may use. */
export interface Place {
  readonly source: Source;
  readonly scope: Scope;
}

/** Of one condition. */
const MAX_TERMS = 20;
/** Of one value. */
const MAX_FILTERS = 10;
const MAX_STEPS_OF_PATH = 10;

/** What `{{ … }}` writes: a value and its filters. */
export function compileOutput(tokenizer: Tokenizer, place: Place): Read {
  const begin = tokenizer.p;
  const { initial, filters } = tokenizer.readFilteredValue();
  expectEnd(tokenizer, place);
  if (filters.length > MAX_FILTERS) {
    throw new LiquidFault(`a value has at most ${MAX_FILTERS} filters`, place.source, begin);
  }
  const read = compilePostfix(initial.postfix, place, begin);
  return filters.reduce(
    (of, filter) =>
      compileFilter(
        filter,
        of,
        (token) => compileValue(token, place),
        (why) => new LiquidFault(why, place.source, filter.begin),
      ),
    read,
  );
}

/** What an `if` asks. */
export function compileCondition(tokenizer: Tokenizer, place: Place): Read {
  const begin = tokenizer.p;
  const { postfix } = tokenizer.readExpression();
  expectEnd(tokenizer, place);
  return compilePostfix(postfix, place, begin);
}

/** One value: a variable, a text, a number or a word like `nil`. */
export function compileValue(token: ValueToken, place: Place): Read {
  if (isQuotedToken(token) || isNumberToken(token)) return constant(token.content);
  if (isLiteralToken(token)) return constant(LITERALS[token.literal]);
  if (isPropertyAccessToken(token)) return compilePath(token, place);
  throw new LiquidFault('a range may only stand behind the in of a for', place.source, token.begin);
}

/** @throws LiquidFault where something is left that nobody has read */
export function expectEnd(tokenizer: Tokenizer, { source }: Place): void {
  tokenizer.skipBlank();
  if (!tokenizer.end()) throw unexpected(tokenizer, source);
}

export const unexpected = (tokenizer: Tokenizer, source: Source): LiquidFault =>
  new LiquidFault(`${tokenizer.snapshot()} is not expected`, source, tokenizer.p);

const LITERALS = { true: true, false: false, nil: null, null: null, empty: EMPTY, blank: BLANK } as const;
const constant =
  (value: unknown): Read =>
  () =>
    value;

/** Operands before their operators, as the tokenizer orders them: `and` and `or` from right to left. */
function compilePostfix(postfix: readonly Token[], place: Place, begin: number): Read {
  const fault = (why: string, offset = begin): LiquidFault => new LiquidFault(why, place.source, offset);
  if (postfix.length === 0) throw fault('a value is expected');
  if (postfix.length > MAX_TERMS) throw fault(`a condition has at most ${MAX_TERMS} terms`);
  const operands: Read[] = [];
  for (const token of postfix) {
    if (!isOperatorToken(token)) {
      operands.push(compileValue(token as ValueToken, place));
      continue;
    }
    const right = operands.pop();
    const left = token.operator === 'not' ? undefined : operands.pop();
    if (!right || (!left && token.operator !== 'not')) {
      throw fault(`a value is expected beside ${token.operator}`, token.begin);
    }
    operands.push(apply(token.operator, left, right));
  }
  if (operands.length > 1) throw fault('an operator is expected between two values');
  return operands[0]!;
}

function apply(operator: string, left: Read | undefined, right: Read): Read {
  if (!left) return (run) => !isTruthy(right(run));
  if (operator === 'and') return (run) => isTruthy(left(run)) && isTruthy(right(run));
  if (operator === 'or') return (run) => isTruthy(left(run)) || isTruthy(right(run));
  const compare = operators[operator]!;
  return (run) => compare(left(run), right(run), run);
}

function compilePath({ variable, props, begin }: PropertyAccessToken, place: Place): Read {
  const fault = (why: string): LiquidFault => new LiquidFault(why, place.source, begin);
  if (props.length > MAX_STEPS_OF_PATH) throw fault(`a path has at most ${MAX_STEPS_OF_PATH} steps`);
  if (variable) return follow(compileValue(variable, place), props, place);
  const [first, ...rest] = props;
  const name = isWordToken(first) ? first.content : '';
  if (!/^\w{1,64}$/.test(name)) throw fault('a variable is named with 1 to 64 word characters');
  const binding = place.scope.find(name);
  if (binding.kind !== 'loop') return follow(readBinding(binding), rest, place);
  const [member] = rest;
  const known = isWordToken(member) ? LOOP_MEMBERS.get(member.content) : undefined;
  if (!known || rest.length > 1) throw fault(`forloop has ${[...LOOP_MEMBERS.keys()].join(', ')}`);
  return (run) => known(run.locals[binding.index] as number, run.locals[binding.length] as number);
}

const readBinding = ({ kind, place }: Exclude<Binding, { kind: 'loop' }>): Read =>
  kind === 'global' ? (run) => run.globals[place] : (run) => run.locals[place];

const LOOP_MEMBERS: ReadonlyMap<string, (index: number, length: number) => unknown> = new Map<
  string,
  (index: number, length: number) => unknown
>([
  ['index', (index) => index + 1],
  ['index0', (index) => index],
  ['rindex', (index, length) => length - index],
  ['rindex0', (index, length) => length - index - 1],
  ['first', (index) => index === 0],
  ['last', (index, length) => index === length - 1],
  ['length', (_, length) => length],
]);

function follow(read: Read, props: PropertyAccessToken['props'], place: Place): Read {
  return props.reduce<Read>((of, prop) => {
    const key = isWordToken(prop) ? constant(prop.content) : compileValue(prop as ValueToken, place);
    return (run) => memberOf(of(run), key(run));
  }, read);
}
