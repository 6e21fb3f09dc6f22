import { randomUUID } from 'node:crypto';
import {
  answersOf,
  isCluster,
  KEY_PREFIX,
  LONGEST_BLOCK_MS,
  loadScript,
  type Redis,
  runScript,
} from '../redis/redis.js';
import { parsePlace, type StreamPlace } from './wake-up-numbers.js';

/** The stream of one reader, and the counter of its entries. */
export interface StreamKeys {
  readonly stream: string;
  readonly counter: string;
}

/** On a Cluster the script needs both keys in one slot. */
export const streamOf = (readerId: string): StreamKeys => ({
  stream: `${KEY_PREFIX}:wake-ups:{${readerId}}:stream`,
  counter: `${KEY_PREFIX}:wake-ups:{${readerId}}:counter`,
});

/**
 * The one stream that all processes of the version before read and write, for rolling upgrades: publishers append to
 * it as long as its counter exists, and every reader reads it. Processes of the version before make the counter anew within a
 * second, so that it expires for good only once they are gone. That version knows no Cluster. To be removed with the next version.
 */
export const FORMER_STREAM: StreamKeys = {
  stream: `${KEY_PREFIX}:wake-ups`,
  counter: `{${KEY_PREFIX}:wake-ups}:counter`,
};
/** At each expiry subscribers of the version before read their sources. */
const FORMER_LIFE_MS = 5 * 60_000;
/** A reader that was frozen or cut off for longer begins anew. */
const LIFE_MS = 60_000;
const STREAM_LENGTH = 100_000;
const publish = loadScript(new URL('./publish-wake-ups.lua', import.meta.url));

/** So many entries of a stream are read in one round trip. */
export const READ_COUNT = 1_000;

/** One entry of a stream. */
export interface StreamEntry {
  readonly id: string;
  readonly text: string;
  /** Undefined where a process of an earlier version wrote it. */
  readonly place: StreamPlace | undefined;
}

/**
 * Appends entries, in one round trip.
 *
 * @returns false where there is no such reader: nothing was written
 */
export async function appendEntries(
  redis: Redis,
  keys: StreamKeys,
  texts: readonly string[],
): Promise<boolean> {
  const life = keys === FORMER_STREAM ? FORMER_LIFE_MS : LIFE_MS;
  const counter = await runScript(
    redis,
    publish,
    [keys.stream, keys.counter],
    [STREAM_LENGTH, life, randomUUID(), ...texts],
  );
  return counter !== null;
}

/** Where a reader stands in its own stream and in the former one. */
export interface StreamPositions {
  readonly own: string;
  readonly former: string;
}

/** What came after a position. */
export interface StreamPage {
  readonly entries: readonly StreamEntry[];
  /** More than this page holds may have come. */
  readonly isCut: boolean;
}

/**
 * What comes after the positions; waits for it for `LONGEST_BLOCK_MS`. It renews the life of the reader's keys. The counter is
 * that of the moment before.
 */
export async function readEntries(
  redis: Redis,
  keys: StreamKeys,
  positions: StreamPositions,
): Promise<{
  readonly own: StreamPage;
  readonly former: StreamPage;
  readonly counter: StreamPlace | undefined;
}> {
  const isAlone = isCluster(redis);
  const streams = isAlone ? [keys.stream] : [keys.stream, FORMER_STREAM.stream];
  const from = isAlone ? [positions.own] : [positions.own, positions.former];
  const answers = await redis
    .pipeline()
    .set(keys.counter, firstPlace(), 'PX', LIFE_MS, 'NX')
    .get(keys.counter)
    .pexpire(keys.counter, LIFE_MS)
    .pexpire(keys.stream, LIFE_MS)
    .xread('COUNT', READ_COUNT, 'BLOCK', LONGEST_BLOCK_MS, 'STREAMS', ...streams, ...from)
    .exec();
  const found = (answerOf(answers, 4) as [key: string, entries: RawEntry[]][] | null) ?? [];
  const pageOf = (key: string): StreamPage => {
    const entries = (found.find(([name]) => name === key)?.[1] ?? []).map(toEntry);
    return { entries, isCut: entries.length === READ_COUNT };
  };
  return {
    own: pageOf(keys.stream),
    former: pageOf(FORMER_STREAM.stream),
    counter: parsePlace(answerOf(answers, 1) as string),
  };
}

/** Makes the counter of a new reader, which says that it lives; there is none where Redis takes no writes. */
export async function beginStream(redis: Redis, keys: StreamKeys) {
  await redis.set(keys.counter, firstPlace(), 'PX', LIFE_MS, 'NX').catch(() => undefined);
  return { position: '0-0', counter: parsePlace(await redis.get(keys.counter)) };
}

/** The former stream's end: its newest entry's id, and the counter, which may be of a later moment. */
export async function findFormerEnd(redis: Redis) {
  if (isCluster(redis)) return { position: '0-0', counter: undefined };
  const { stream, counter } = FORMER_STREAM;
  const asked = redis.pipeline().xrevrange(stream, '+', '-', 'COUNT', 1).get(counter);
  const [[newest], number] = (await answersOf(asked)) as [RawEntry[], string | null];
  return { position: newest?.[0] ?? '0-0', counter: parsePlace(number) };
}

/** Removes the keys of a reader that is gone, or removes something else that stands there. */
export async function discardStream(redis: Redis, { stream, counter }: StreamKeys): Promise<void> {
  await redis.del(stream, counter);
}

/** The first look begins an epoch: a counter that is made and lost between two looks does not go unseen. */
const firstPlace = (): string => `${randomUUID()}/0`;

type RawEntry = [id: string, fields: string[]];

function toEntry([id, fields]: RawEntry): StreamEntry {
  const [, text = '', , place] = fields;
  return { id, text, place: parsePlace(place) };
}

/** @throws the command's error; that of a SET is of no interest: a Redis that refuses writes can be read */
function answerOf(answers: [Error | null, unknown][] | null, index: number): unknown {
  const [error, answer] = answers?.[index] ?? [null, null];
  if (error) throw error;
  return answer;
}
