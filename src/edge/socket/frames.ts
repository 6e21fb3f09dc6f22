import { MessageType } from 'graphql-ws';
import { MANY_DIGITS, parsed, roundsANumber } from '../json.js';

const LONGEST = 4_096;
/** Enough for the longest token. */
const LONGEST_INIT = 8_192;
const COMPLETE: string = MessageType.Complete;

/** Whether a message is long without being an operation: reading it would not be charged. */
export function isTooLong(text: string): boolean {
  if (text.length <= LONGEST) return false;
  const type = memberOf(parsed(text), 'type');
  if (type === MessageType.ConnectionInit) return text.length > LONGEST_INIT;
  return type !== MessageType.Subscribe;
}

/** The operation that a message completes; undefined where it is another message. */
export function completedId(text: string): string | undefined {
  if (text.length > LONGEST || !text.includes(COMPLETE)) return undefined;
  const message = parsed(text);
  return memberOf(message, 'type') === MessageType.Complete ? idOf(message) : undefined;
}

/**
 * The id of the operation that a message subscribes to with a number that parsing rounds; undefined for every other message,
 * malformed ones included.
 */
export function inexactOperation(text: string): string | undefined {
  const id = MANY_DIGITS.test(text) ? idOf(parsed(text)) : undefined;
  return id !== undefined && roundsANumber(text) ? id : undefined;
}

function idOf(message: unknown): string | undefined {
  const id = memberOf(message, 'id');
  return typeof id === 'string' ? id : undefined;
}

const memberOf = (message: unknown, name: 'id' | 'type'): unknown =>
  typeof message === 'object' && message !== null
    ? (message as Readonly<Record<string, unknown>>)[name]
    : undefined;
