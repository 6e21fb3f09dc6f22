import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { vi } from 'vitest';
import { openRuleKeeper, type RuleKeeper } from '../../src/domains/limits/reload/rule-keeper.js';
import { readDocument } from '../../src/domains/limits/rules/read-document.js';
import { compileRules, type ParsedRules } from '../../src/domains/limits/rules/rules.js';
import type { Caller } from '../../src/platform/auth/caller.js';
import { systemClock } from '../../src/platform/clock.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { openRedis, openSubscribingRedis } from '../../src/platform/redis/redis.js';

/** A good document of its own domain. */
export const good = (domain: string): string =>
  `domain: ${domain}\ndescriptors:\n  - key: global\n    rate_limit: { requests_per_unit: 5, unit: minute }\n`;

/** A document with a fault in line 4. */
export const bad = (domain: string): string => good(domain).replace('minute', 'fortnight');

/** What `readRules` does, without the thread that it starts for each document. */
export const readHere = async (document: string): Promise<ParsedRules> => {
  const read = readDocument(document);
  return read.ok ? { ok: true, rules: compileRules(document, read.rules) } : read;
};

export const admin = (userId = 'admin'): Caller => ({
  viewer: { userId, roles: new Set(['admin']), plan: 'free' },
  correlationId: `story of ${userId}`,
});

/** Longer than any test: the keeper never polls. */
const NEVER_MS = 3_600_000;

/** No server answers there: a process whose subscriber connects to it gets no notices. */
export const NOWHERE = 'redis://127.0.0.1:1';

/** A keeper with connections of its own, as a process has them. */
export interface TestProcess {
  readonly keeper: RuleKeeper;
  readonly metrics: Registry;
  readonly postgres: Postgres;
  stop(): Promise<void>;
}

/** Opens keepers, and closes them all. */
export function createProcesses(): {
  start(options: {
    source: string;
    postgresUrl: string;
    redisUrl: string;
    earUrl?: string;
    pollMs?: number;
    answerMs?: number;
    read?: (document: string) => Promise<ParsedRules>;
  }): Promise<TestProcess>;
  stopAll(): Promise<void>;
} {
  const running = new Set<TestProcess>();
  return {
    async start({
      read = readHere,
      source,
      postgresUrl,
      redisUrl,
      earUrl = redisUrl,
      pollMs = NEVER_MS,
      answerMs = 5_000,
    }) {
      const ignore = (): void => undefined;
      const postgres = openPostgres(postgresUrl, { max: 3, applicationName: 'test', onError: ignore });
      const redis = openRedis(redisUrl.split(','), ignore);
      const subscriber = openSubscribingRedis(earUrl.split(','), ignore);
      const metrics = new Registry();
      const close = async (): Promise<void> => {
        redis.disconnect();
        await postgres.close();
      };
      const keeper = await openRuleKeeper({
        source,
        postgres,
        redis,
        subscriber,
        clock: systemClock,
        logger: pino({ level: 'silent' }),
        metrics,
        read,
        pollMs,
        answerMs,
      }).catch(async (error: unknown) => {
        await close();
        throw error;
      });
      const started: TestProcess = {
        keeper,
        metrics,
        postgres,
        async stop() {
          if (!running.delete(started)) return;
          await keeper.close();
          await close();
        },
      };
      running.add(started);
      return started;
    },
    stopAll: async () => void (await Promise.all([...running].map((process) => process.stop()))),
  };
}

/** A folder of its own, removed by `remove`. */
export async function createFolder(): Promise<{ at(name: string): string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-rules-'));
  return {
    at: (name) => path.join(folder, name),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Waits for a condition, longer than it takes on a busy machine. */
export const until = <T>(holds: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(holds, { timeout: 15_000, interval: 20 });

/** How often looks ended with `result`, and whether the newest rules are missing. */
export async function measured(process: TestProcess): Promise<Record<string, number>> {
  const samples: Record<string, number> = {};
  for (const metric of await process.metrics.getMetricsAsJSON()) {
    for (const { labels, value } of metric.values) samples[String(labels.result ?? 'stale')] = value;
  }
  return samples;
}
