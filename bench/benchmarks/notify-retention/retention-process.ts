import { randomUUID } from 'node:crypto';
import { openJobs } from '../../../test/scale/jobs.ts';
import { answerParent } from '../../harness/answer-parent.ts';
import { loadProduct } from '../../harness/product.ts';
import { productEnvironment } from '../../harness/product-app.ts';

/** What the process that lets go does for the benchmark. */
export type RetentionMethods = typeof methods;

const JOB = 'notifications.forget';
const DAYS = 2;

let running: Promise<void> | undefined;
const stopping = new AbortController();

async function runOn(databaseUrl: string, redisUrl: string): Promise<void> {
  const jobs = await openJobs(loadProduct, {
    ...productEnvironment(databaseUrl, redisUrl),
    RETENTION_DAYS: String(DAYS),
  });
  try {
    const job = jobs.schedules.find(({ name }) => name === JOB);
    if (!job) throw new Error(`there is no ${JOB}`);
    const { signal } = stopping;
    const run = { correlationId: randomUUID(), logger: jobs.app.logger, signal };
    while (!signal.aborted) await job.run(run as Parameters<typeof job.run>[0]);
  } finally {
    await jobs.close();
  }
}

const methods = {
  /** Lets go what is older than two days, by the worker's own task, again and again without a pause. */
  async start(databaseUrl: string, redisUrl: string): Promise<void> {
    running = runOn(databaseUrl, redisUrl);
    // It is awaited, and its error thrown, when it is stopped.
    running.catch(() => undefined);
  },

  async stop(): Promise<void> {
    stopping.abort();
    await running;
  },
};

answerParent(methods);
