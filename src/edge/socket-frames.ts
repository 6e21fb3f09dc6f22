import { MessageType } from 'graphql-ws';
import { parsed } from './json.js';

const LONGEST = 4_096;
/** With room for the longest token. */
const LONGEST_INIT = 8_192;

/** Whether a message is long without being an operation: nobody would be charged for reading it. */
export function isTooLong(text: string): boolean {
  if (text.length <= LONGEST) return false;
  const type = typeOf(text);
  if (type === MessageType.ConnectionInit) return text.length > LONGEST_INIT;
  return type !== MessageType.Subscribe;
}

function typeOf(text: string): unknown {
  const message = parsed(text);
  return typeof message === 'object' && message !== null && 'type' in message ? message.type : undefined;
}
