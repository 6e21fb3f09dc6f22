import { randomUUID } from 'node:crypto';
import { KEY_PREFIX, LONGEST_BLOCK_MS, loadScript, type Redis, runScript } from './redis.js';
import { parsePlace, type StreamPlace } from './wake-up-numbers.js';

const STREAM = `${KEY_PREFIX}:wake-ups`;
/** On a Cluster the script needs both keys in one slot: a hash tag that is the whole of the stream's name does that. */
const COUNTER = `{${STREAM}}:counter`;
const STREAM_LENGTH = 100_000;
const publish = loadScript(new URL('./publish-wake-ups.lua', import.meta.url));

/** So many entries are read in one round trip. */
export const READ_COUNT = 1_000;

/** One entry of the stream. */
export interface StreamEntry {
  readonly id: string;
  readonly text: string;
  /** Undefined where a process of the version before wrote it. */
  readonly place: StreamPlace | undefined;
}

/** Appends entries, in one round trip. */
export async function appendEntries(redis: Redis, texts: readonly string[]): Promise<void> {
  await runScript(redis, publish, [STREAM, COUNTER], [STREAM_LENGTH, randomUUID(), ...texts]);
}

/** What comes after `position`; waits for it for `LONGEST_BLOCK_MS`. The counter is that of the moment before. */
export async function readEntries(
  redis: Redis,
  position: string,
): Promise<{ readonly entries: readonly StreamEntry[]; readonly counter: StreamPlace | undefined }> {
  const answers = await redis
    .pipeline()
    .set(COUNTER, firstPlace(), 'NX')
    .get(COUNTER)
    .xread('COUNT', READ_COUNT, 'BLOCK', LONGEST_BLOCK_MS, 'STREAMS', STREAM, position)
    .exec();
  const page = answerOf(answers, 2) as [key: string, entries: RawEntry[]][] | null;
  return {
    entries: (page?.[0]?.[1] ?? []).map(toEntry),
    counter: parsePlace(answerOf(answers, 1) as string),
  };
}

interface StreamEnd {
  readonly position: string;
  readonly counter: StreamPlace | undefined;
}

/**
 * The stream's end: its newest entry's id, and the counter, which may be of a later moment. A counter that cannot be read
 * begins anew; there is none where Redis takes no writes.
 */
export async function findEnd(redis: Redis): Promise<StreamEnd> {
  const end = await readEnd(redis);
  if (end.counter) return end;
  await redis.del(COUNTER).catch(() => undefined);
  return readEnd(redis);
}

async function readEnd(redis: Redis): Promise<StreamEnd> {
  const answers = await redis
    .pipeline()
    .set(COUNTER, firstPlace(), 'NX')
    .xrevrange(STREAM, '+', '-', 'COUNT', 1)
    .get(COUNTER)
    .exec();
  const [newest] = answerOf(answers, 1) as RawEntry[];
  return { position: newest?.[0] ?? '0-0', counter: parsePlace(answerOf(answers, 2) as string) };
}

/** Makes room for a new stream where something else stands at its keys. */
export async function discardStream(redis: Redis): Promise<void> {
  await redis.del(STREAM, COUNTER);
}

/** Whoever looks first begins an epoch: a counter that is made and lost between two looks does not go unseen. */
const firstPlace = (): string => `${randomUUID()}/0`;

type RawEntry = [id: string, fields: string[]];

function toEntry([id, fields]: RawEntry): StreamEntry {
  const [, text = '', , place] = fields;
  return { id, text, place: parsePlace(place) };
}

/** @throws the command's error; that of the first SET is of no interest: a Redis that refuses writes can be read */
function answerOf(answers: [Error | null, unknown][] | null, index: number): unknown {
  const [error, answer] = answers?.[index] ?? [null, null];
  if (error) throw error;
  return answer;
}
