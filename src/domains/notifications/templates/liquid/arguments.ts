import type { TagToken, Tokenizer, ValueToken } from 'liquidjs';
import { type Items, type Loop, MAX_ITERATIONS } from './blocks.js';
import { compileValue, expectEnd, type Place, unexpected } from './expressions.js';
import { LiquidFault } from './position.js';
import type { Read } from './run.js';
import { isNumberToken, isRangeToken } from './tokens.js';

/** A value that a partial is called with. */
export interface Parameter {
  readonly name: string;
  /** Its place among the locals. */
  readonly place: number;
  readonly read: Read;
}

/** The next value of a tag. */
export const readValue = (tokenizer: Tokenizer, place: Place): Read =>
  compileValue(readToken(tokenizer, place), place);

/** `a, b or c`, up to the end of the tag. */
export function readValues(tokenizer: Tokenizer, place: Place): readonly Read[] {
  const values = [readValue(tokenizer, place)];
  for (tokenizer.skipBlank(); !tokenizer.end(); tokenizer.skipBlank()) {
    if (tokenizer.peek() === ',') tokenizer.advance();
    else if (tokenizer.readIdentifier().getText() !== 'or') throw unexpected(tokenizer, place.source);
    values.push(readValue(tokenizer, place));
  }
  return values;
}

/** What a loop runs over: a value, or a range. */
export function readItems(tokenizer: Tokenizer, place: Place): Items {
  const token = readToken(tokenizer, place);
  if (!isRangeToken(token)) return { list: compileValue(token, place) };
  const { lhs, rhs, begin } = token;
  const isKnown = isNumberToken(lhs) && isNumberToken(rhs);
  if (isKnown && rhs.content - lhs.content >= MAX_ITERATIONS) {
    throw new LiquidFault(`a loop runs at most ${MAX_ITERATIONS} times`, place.source, begin);
  }
  return { from: compileValue(lhs, place), to: compileValue(rhs, place) };
}

/** The limit, the offset and the direction of a loop, up to the end of its tag. */
export function readLoopOptions(
  { tokenizer, begin }: TagToken,
  place: Place,
): Pick<Loop, 'offset' | 'limit' | 'isReversed'> {
  const options = { offset: null as Read | null, limit: null as Read | null, isReversed: false };
  for (const { name, value } of tokenizer.readHashes()) {
    const option = name.getText();
    if (option === 'reversed' && !value) options.isReversed = true;
    else if ((option === 'limit' || option === 'offset') && value)
      options[option] = compileValue(value, place);
    else {
      const why = `a for takes limit, offset and reversed, and no ${option.slice(0, 64)}`;
      throw new LiquidFault(why, place.source, begin);
    }
  }
  expectEnd(tokenizer, place);
  return options;
}

/** `, name: value` as often as it is written, up to the end of the tag. */
export function readParameters(tokenizer: Tokenizer, place: Place): readonly Parameter[] {
  const hashes = tokenizer.readHashes();
  expectEnd(tokenizer, place);
  return hashes.map(({ name: { content: name }, value }) => {
    if (!value || !/^\w{1,64}$/.test(name)) throw unexpected(tokenizer, place.source);
    return { name, place: place.scope.allocate(), read: compileValue(value, place) };
  });
}

function readToken(tokenizer: Tokenizer, { source }: Place): ValueToken {
  const token = tokenizer.readValue();
  if (!token) throw unexpected(tokenizer, source);
  return token;
}
