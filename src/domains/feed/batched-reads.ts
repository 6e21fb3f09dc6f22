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

/**
 * Reads of which thousands come in one instant: those of one turn of the event loop share statements, of `most` questions each.
 * Each answer is read after its question was asked. Where a statement takes longer than it may, it is made again in halves, so
 * that one question whose answer takes too long fails alone.
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
  let left = asked;
  let tooSlow = await answer(read, left);
  while (tooSlow !== undefined && left.length > 1) {
    const middle = Math.ceil(left.length / 2);
    const halves = [left.slice(0, middle), left.slice(middle)];
    const errors = await Promise.all(halves.map((half) => answer(read, half)));
    // It is the database that is slow, and not one of them.
    if (errors.every((error) => error !== undefined)) break;
    left = halves.find((_, n) => errors[n] !== undefined) ?? [];
    tooSlow = errors.find((error) => error !== undefined);
  }
  for (const one of left) if (tooSlow !== undefined) one.reject(tooSlow);
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
