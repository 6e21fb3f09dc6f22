import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

/** One page's commands to Redis, by the round trip that they travel in. */
export type Trips = readonly (readonly (readonly string[])[])[];

/** By what a command's keys are called: what waits for what is the same in every page. */
const tripOf = (command: readonly string[]): number => {
  const keys = command.slice(1, 8).join(' ');
  if (/:limit:/.test(keys)) return 0;
  if (/:outbox/.test(keys)) return 2;
  if (/:post:/.test(keys)) return 3;
  return /:author:|\{counts\}/.test(keys) ? 4 : 1;
};

/** What a page sends; what the api asks beside it, again and again, is none of it. */
const isOfPage = (command: readonly string[]): boolean =>
  /^(get|mget|set|evalsha)$/i.test(command[0] ?? '') &&
  /tidings/.test(command.join(' ')) &&
  !/tidings:(cache-lease|wake-ups)/.test(command.join(' '));

/** A line of MONITOR: its time, where the command came from, and the command's words, each in quotes. */
const LINE = /^\+[\d.]+ \[\d+ (\S+)\] (.*)$/;
const WORD = /"((?:[^"\\]|\\.)*)"/g;

/**
 * Listens to a Redis while `work` reads one page: which commands it was sent, without those inside scripts. By a socket of
 * its own: where others send commands all the time, ioredis takes the first line that MONITOR tells for an answer.
 */
export async function recordTrips(redisUrl: string, work: () => Promise<unknown>): Promise<Trips> {
  const { hostname, port, password } = new URL(redisUrl);
  const socket = connect(Number(port), hostname);
  const heard: string[][] = [];
  const lines = createInterface(socket).on('line', (line) => {
    const [, source, words] = LINE.exec(line) ?? [];
    if (source === undefined || source === 'lua' || words === undefined) return;
    const command = Array.from(words.matchAll(WORD), ([, word]) => unescaped(word!));
    if (isOfPage(command)) heard.push(command);
  });
  for (const command of [...(password ? [`AUTH ${password}`] : []), 'MONITOR']) {
    socket.write(`${command}\r\n`);
    const [answer] = (await once(lines, 'line')) as [string];
    if (answer !== '+OK') throw new Error(`Redis answered ${answer}`);
  }
  await work();
  await pause(100);
  socket.destroy();
  const trips = Map.groupBy(heard, tripOf);
  return [...trips].sort(([a], [b]) => a - b).map(([, commands]) => commands);
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b' };

const unescaped = (word: string): string =>
  word.replace(/\\(?:x([0-9a-f]{2})|(.))/g, (_, hex: string | undefined, letter: string) =>
    hex === undefined ? (ESCAPES[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
