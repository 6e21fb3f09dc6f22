import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { BenchContext, Benchmark, Outcome } from '../../harness/benchmark.ts';
import type { Child } from '../../harness/child.ts';
import { latencyOf } from '../../harness/latency.ts';
import { type Ground, openGround, type Place } from '../notify-ground/ground.ts';
import { pacedId } from '../notify-ground/people.ts';
import { startProducer } from '../notify-ground/producer.ts';
import type { PacedRequests, ProducerMethods } from '../notify-ground/producer-process.ts';
import { type Provider, startProvider } from '../notify-ground/provider.ts';
import type { Arrivals } from '../notify-ground/provider-process.ts';
import { COUNTS_BLOCKS, type Grown, grownStatements, readStatementBlocks } from './statement-blocks.ts';

const PER_SECOND = 1_000;
const MINUTES = 10;
const WARM_UP_SECONDS = 15;
const connections = 256;
/** A user gets so many an hour. */
const MESSAGES_A_PERSON = 20;
const FEWEST_PEOPLE = 10_000;
const SHOWN = 12;

const RATE = 'last-minute-rate';
const P99 = 'p99-within-1.5';

/** Messages from request to phone while a transaction is held open from the first second to the last. */
export const notifyHeldOpen: Benchmark = {
  name: 'notify.held-open',
  summary: `${PER_SECOND} pushes a second beside a transaction that is held open: the last minute against the first`,
  targets: { [RATE]: 0.95, [P99]: 1 },
  async run(context) {
    const load = loadOf(context);
    const people = Math.max(FEWEST_PEOPLE, Math.ceil((load.perSecond * load.seconds) / MESSAGES_A_PERSON));
    const ground = await openGround(people, { settings: COUNTS_BLOCKS });
    const provider = await startProvider();
    const producer = startProducer();
    try {
      return outcomeOf(await measure(ground, provider, producer, { ...load, people }), context);
    } finally {
      await producer.stop();
      await provider.stop();
      await ground.stop();
    }
  },
};

interface Load {
  readonly perSecond: number;
  /** Measured; as long as the transaction is held. */
  readonly seconds: number;
  /** Of the first and of the last of them that are compared. */
  readonly windowSeconds: number;
  readonly people: number;
}

function loadOf({ quick, minutes, perSecond }: BenchContext): Omit<Load, 'people'> {
  const seconds = minutes ? minutes * 60 : quick ? 60 : MINUTES * 60;
  const windowSeconds = Math.min(60, Math.floor(seconds / 3));
  return { perSecond: perSecond ?? (quick ? 200 : PER_SECOND), seconds, windowSeconds };
}

interface Window {
  readonly arrivedPerSecond: number;
  /** From when a request was due until its message arrived. */
  readonly tookMs: readonly number[];
}

interface Measured {
  /** One after the other, from the first to the last. */
  readonly windows: readonly Window[];
  readonly grown: readonly Grown[];
  readonly lateP99Ms: number;
}

async function measure(
  ground: Ground,
  provider: Provider,
  producer: Child<ProducerMethods>,
  { perSecond, seconds, windowSeconds, people }: Load,
): Promise<Measured> {
  const place = await ground.fresh();
  const running: { stop(): Promise<void> }[] = [place];
  try {
    await place.query('CREATE EXTENSION pg_stat_statements');
    const api = await place.startApi();
    running.push(api);
    const worker = await place.startWorker(provider.environment);
    running.push(worker);
    await producer.call('open', api.url, connections);
    const [paced, grown] = await Promise.all([
      producer.call('pace', { perSecond, warmUpSeconds: WARM_UP_SECONDS, seconds }, people),
      holdOpen(place, seconds, windowSeconds),
    ]);
    await provider.untilArrived(paced.accepted);
    await place.untilDelivered(paced.accepted);
    const arrivals = await provider.arrivals();
    const windows = windowsOf(paced, arrivals, seconds, windowSeconds);
    return { windows, grown, lateP99Ms: latencyOf(paced.lateMs).p99Ms };
  } finally {
    for (const one of running.reverse()) await one.stop();
  }
}

/** Holds a snapshot for all measured seconds; answers which statements cost more in the last of them than in the first. */
async function holdOpen(place: Place, seconds: number, windowSeconds: number): Promise<readonly Grown[]> {
  await pause(WARM_UP_SECONDS * 1_000);
  const holder = new pg.Client({ connectionString: place.databaseUrl });
  await holder.connect();
  try {
    await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await holder.query('SELECT count(*) FROM notification_templates');
    const started = await readStatementBlocks(place);
    await pause(windowSeconds * 1_000);
    const afterFirst = await readStatementBlocks(place);
    await pause((seconds - 2 * windowSeconds) * 1_000);
    const beforeLast = await readStatementBlocks(place);
    await pause(windowSeconds * 1_000);
    return grownStatements([started, afterFirst], [beforeLast, await readStatementBlocks(place)]);
  } finally {
    await holder.end();
  }
}

/** @throws when something that was accepted did not arrive */
function windowsOf(
  paced: PacedRequests,
  arrivals: Arrivals,
  seconds: number,
  windowSeconds: number,
): readonly Window[] {
  const firstArrival = new Map<string, number>();
  arrivals.notificationIds.forEach((id, index) => {
    if (!firstArrival.has(id)) firstArrival.set(id, arrivals.atMs[index]!);
  });
  const from = paced.dueMs.reduce((least, due) => Math.min(least, due), Number.POSITIVE_INFINITY);
  const windowFrom = (start: number): Window => {
    const until = start + windowSeconds * 1_000;
    const tookMs: number[] = [];
    paced.numbers.forEach((n, index) => {
      const due = paced.dueMs[index]!;
      const at = firstArrival.get(pacedId(n));
      if (at === undefined) throw new Error(`${pacedId(n)} was accepted and did not arrive`);
      if (due >= start && due < until) tookMs.push(at - due);
    });
    const arrived = [...firstArrival.values()].filter((at) => at >= start && at < until).length;
    return { arrivedPerSecond: arrived / windowSeconds, tookMs };
  };
  return Array.from({ length: Math.floor(seconds / windowSeconds) }, (_, n) =>
    windowFrom(from + n * windowSeconds * 1_000),
  );
}

function outcomeOf({ windows, grown, lateP99Ms }: Measured, context: BenchContext): Outcome {
  for (const [n, { tookMs }] of windows.entries()) {
    const { p50Ms, p99Ms } = latencyOf(tookMs);
    context.note(`window ${n + 1}: p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`);
  }
  const [first, last] = [windows[0]!, windows.at(-1)!];
  for (const { statement, before, after, calls } of grown.slice(0, SHOWN)) {
    const text = statement.replaceAll(/\s+/g, ' ').slice(0, 140);
    context.note(`${before.toFixed(1)} → ${after.toFixed(1)} blocks a call (${calls} calls): ${text}`);
  }
  const [early, late] = [latencyOf(first.tookMs), latencyOf(last.tookMs)];
  return {
    ratios: {
      [RATE]: last.arrivedPerSecond / first.arrivedPerSecond,
      [P99]: (1.5 * early.p99Ms) / late.p99Ms,
    },
    figures: {
      'first minute arrived/s': first.arrivedPerSecond,
      'last minute arrived/s': last.arrivedPerSecond,
      'first minute p50 ms': early.p50Ms,
      'last minute p50 ms': late.p50Ms,
      'first minute p99 ms': early.p99Ms,
      'last minute p99 ms': late.p99Ms,
      'statements whose blocks a call grew': grown.length,
      'begun late p99 ms': lateP99Ms,
    },
  };
}
