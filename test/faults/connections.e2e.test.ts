import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Fleet, openFleet } from '../notifications/chaos-fleet.js';
import type { TestProcess } from '../support/processes.js';
import { openLoad } from './load.js';

/** How long connections are cut; longer where somebody wants to be surer. */
const CUTTING_MS = Number(process.env.FAULT_MS ?? 12_000);
const WRITERS_OF_EACH_KIND = 3;

/**
 * Emitters that may live without an `error` listener, by their class, and why their `error` event ends nothing:
 * - EventEmitter: plain buses inside libraries (pino, prom-client), on which nobody emits `error`
 * - process: emits `uncaughtException`, never `error`
 * - Command: commander's; its errors are thrown while arguments are parsed
 * - Boot, Plugin: Fastify's plugin loader; its errors reject `listen` and `register`
 * - Agent: Node's pool of HTTP connections; their errors are those of requests
 * - IncomingMessage: Node emits `error` on a request that broke off only where somebody listens
 * - Control: the reference count of the parent's channel
 * - Query: pg's; where a promise waits for it, as everywhere here, its error rejects that
 * - Session: the inspector's own, while it lists
 */
const MAY_LIVE_WITHOUT: ReadonlySet<string> = new Set([
  'EventEmitter',
  'process',
  'Command',
  'Boot',
  'Plugin',
  'Agent',
  'IncomingMessage',
  'Control',
  'Query',
  'Session',
]);

const preload = new URL('../support/list-emitters.mjs', import.meta.url).href;
let fleet: Fleet;
let processes: TestProcess[];

beforeAll(async () => {
  fleet = await openFleet({
    NODE_OPTIONS: `--import ${preload}`,
    // Listing emitters stops a process for a while.
    RATE_LIMIT_TIMEOUT_MS: '10000',
  });
  processes = [...fleet.apis, ...fleet.workers];
}, 120_000);
afterAll(() => fleet?.close());

const isAlive = ({ pid }: TestProcess): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const cutAll = () =>
  fleet.postgres
    .query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE pid <> pg_backend_pid() AND application_name <> 'chaos' AND backend_type = 'client backend'`,
    )
    .catch(() => undefined);

async function emittersWithout(process_: TestProcess): Promise<string[]> {
  const from = process_.output().length;
  process.kill(process_.pid, 'SIGUSR2');
  const line = await vi.waitFor(
    () => {
      const found = /^emitters without a listener: (\[.*\])$/m.exec(process_.output().slice(from));
      // One that has ended is found so in the end.
      if (!found && isAlive(process_)) throw new Error('no list yet');
      return found?.[1] ?? '[]';
    },
    { timeout: 90_000, interval: 50 },
  );
  return (JSON.parse(line) as string[]).filter((name) => !MAY_LIVE_WITHOUT.has(name));
}

describe('processes that lose every connection to Postgres, again and again', () => {
  it(
    'stay, lose nothing that was acknowledged, and refuse as SERVICE_UNAVAILABLE',
    async () => {
      const load = await openLoad(fleet.apis.map(({ url }) => url));
      await load.prepare(fleet.postgres);
      let isOver = false;
      const running = load.run(WRITERS_OF_EACH_KIND, () => isOver);
      const withoutListener = new Set<string>();
      const ends = performance.now() + CUTTING_MS;
      for (let round = 0; performance.now() < ends && processes.every(isAlive); round += 1) {
        await pause(randomInt(200, 1_000));
        await cutAll();
        if (round % 4 === 0) {
          const watched = processes[(round / 4) % processes.length]!;
          for (const name of await emittersWithout(watched)) withoutListener.add(name);
        }
      }
      await fleet.faults['Postgres restarts']();
      isOver = true;
      await running;

      expect(processes.filter((one) => !isAlive(one)).map((one) => one.output().slice(-4_000))).toEqual([]);
      expect([...withoutListener]).toEqual([]);
      expect(load.tally.oddities.slice(0, 20)).toEqual([]);
      const counts = Object.values(load.tally.acknowledged).map((ids) => ids.length);
      process.stderr.write(`connections: ${counts} acknowledged, ${load.tally.refused} refused\n`);
      expect(Math.min(...counts)).toBeGreaterThan(0);
      await vi.waitFor(async () => expect(await load.missing(fleet.postgres)).toEqual([]), {
        timeout: 60_000,
        interval: 500,
      });
      await vi.waitFor(
        async () => {
          const { logged, projected } = await load.deposits(fleet.postgres);
          expect(projected).toBe(logged);
        },
        { timeout: 60_000, interval: 500 },
      );
    },
    CUTTING_MS + 300_000,
  );
});
