import DataLoader from 'dataloader';
import { isCancelled } from '../../platform/postgres/postgres-cancel.js';
import { forEverybody } from '../../platform/wake-ups/reader.js';

/** Answers many questions by one statement, in their order. */
type Read<Question, Answer> = (questions: readonly Question[]) => Promise<readonly Answer[]>;

interface Asked<Question, Answer> {
  readonly question: Question;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** Parts of a statement that took too long which are asked at once. */
const AT_ONCE = 4;
/** So many questions or fewer are then asked one by one. */
const FEW = 10;
/** Times as long as the first statement took: after that nothing is asked again. */
const MOST_TIMES = 4;

/**
 * Reads of which thousands come in one instant: those of one turn of the event loop share statements, of `most` questions each.
 * Each answer is read after its question was asked. Where a statement takes longer than it may, it is made again in parts, so
 * that questions whose answers take too long fail alone, unless there are so many of them that it is the database which is slow.
 */
export function batchedReads<Question, Answer>(
  read: Read<Question, Answer>,
  most = Number.POSITIVE_INFINITY,
): (question: Question) => Promise<Answer> {
  const loader = new DataLoader<Question, Promise<Answer>>(
    async (questions) => {
      const asked = questions.map((question) => ({ question, ...Promise.withResolvers<Answer>() }));
      void forEverybody(() => answerAll(read, asked));
      // Each is answered as soon as its statement is.
      return asked.map(({ promise }) => promise);
    },
    {
      cache: false,
      // By default it asks before the next timer: thousands who come back from pauses of their own would each ask alone.
      batchScheduleFn: (ask) => void setImmediate(ask),
      maxBatchSize: most,
    },
  );
  return async (question) => loader.load(question);
}

async function answerAll<Question, Answer>(
  read: Read<Question, Answer>,
  asked: readonly Asked<Question, Answer>[],
): Promise<void> {
  const began = performance.now();
  const tooSlow = await answer(read, asked);
  if (tooSlow === undefined) return;
  const giveUpAt = performance.now() + MOST_TIMES * (performance.now() - began);
  let slow = [asked];
  while (slow.some(({ length }) => length > 1)) {
    const parts = slow.flatMap(partsOf);
    const left = await answerParts(read, parts, giveUpAt);
    // It is the database that is slow, and not some of them.
    if (left.length === parts.length) break;
    slow = left;
  }
  for (const one of slow.flat()) one.reject(tooSlow);
}

function partsOf<One>(many: readonly One[]): (readonly One[])[] {
  const size = many.length <= FEW ? 1 : Math.ceil(Math.sqrt(many.length));
  return Array.from({ length: Math.ceil(many.length / size) }, (_, n) =>
    many.slice(n * size, (n + 1) * size),
  );
}

/**
 * Asks no further once the first have all taken too long, or it is too late.
 *
 * @returns those without answers
 */
async function answerParts<Question, Answer>(
  read: Read<Question, Answer>,
  parts: readonly (readonly Asked<Question, Answer>[])[],
  giveUpAt: number,
): Promise<(readonly Asked<Question, Answer>[])[]> {
  const left = new Set(parts);
  let tooSlow = 0;
  const turns = parts.values();
  const mayAsk = (): boolean =>
    performance.now() < giveUpAt && (tooSlow < AT_ONCE || left.size < parts.length);
  async function askInTurn(): Promise<void> {
    for (const part of turns) {
      if (!mayAsk()) return;
      if ((await answer(read, part)) === undefined) left.delete(part);
      else tooSlow += 1;
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, askInTurn));
  return [...left];
}

/** @returns the error where the statement took longer than it may; else all have got their answers, or another error */
async function answer<Question, Answer>(
  read: Read<Question, Answer>,
  asked: readonly Asked<Question, Answer>[],
): Promise<unknown> {
  try {
    const answers = await read(asked.map(({ question }) => question));
    for (const [n, one] of asked.entries()) one.resolve(answers[n]!);
  } catch (error) {
    if (isCancelled(error)) return error;
    for (const one of asked) one.reject(error);
  }
  return undefined;
}
