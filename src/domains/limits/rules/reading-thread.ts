import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { createTurns } from '../turns.js';
import type { ReadDocument } from './read-document.js';

const TIME_LIMIT_MS = 5_000;
const MEMORY_MB = 192;

/** A document was not read in time, which can be its own fault or the machine's: it may be tried again. */
export class TookTooLong extends Error {
  constructor(ms: number) {
    super(`took longer than ${ms / 1_000} s to read`);
    this.name = 'TookTooLong';
  }
}

/** One thread at a time: many documents at once cost memory for one. */
const inTurn = createTurns();

/**
 * Runs `readDocument` on a thread of its own, which is ended after 5 s or 192 MB. Documents are read one after another.
 * One that takes too much memory is refused.
 *
 * @throws TookTooLong
 */
export function readOnThread(
  text: string,
  endpoints?: ReadonlySet<string>,
  timeLimitMs = TIME_LIMIT_MS,
): Promise<ReadDocument> {
  return inTurn(() => readNow({ text, endpoints }, timeLimitMs));
}

async function readNow(
  workerData: { readonly text: string; readonly endpoints: ReadonlySet<string> | undefined },
  timeLimitMs: number,
): Promise<ReadDocument> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadDocument>();
  // The same file, of the sources or of the build.
  const entry = new URL(`./document-thread${path.extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(entry, {
    name: 'rules',
    workerData,
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 32 },
  });
  let timer: NodeJS.Timeout | undefined;
  // What the thread takes to begin is no fault of the document.
  worker.once('online', () => {
    timer = setTimeout(() => reject(new TookTooLong(timeLimitMs)), timeLimitMs);
  });
  worker.once('message', resolve);
  worker.on('error', (error) => {
    if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve(TOO_LARGE_TO_READ);
    else reject(error);
  });
  worker.once('exit', () => reject(new Error('the thread that reads rules ended without an answer')));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

const TOO_LARGE_TO_READ: ReadDocument = {
  ok: false,
  faults: [{ line: 1, column: 1, message: 'the document takes too much memory to read', path: [] }],
};
