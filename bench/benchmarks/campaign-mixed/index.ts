import type { BenchContext, Benchmark, Outcome } from '../../harness/benchmark.ts';
import type { Child } from '../../harness/child.ts';
import { latencyOf } from '../../harness/latency.ts';
import { cpuDuring } from '../../harness/process-cpu.ts';
import { loadProduct } from '../../harness/product.ts';
import { productEnvironment } from '../../harness/product-app.ts';
import { type Contestant, medianOfEach } from '../../harness/rounds.ts';
import { type Ground, openGround } from '../notify-ground/ground.ts';
import { pacedId } from '../notify-ground/people.ts';
import { startProducer } from '../notify-ground/producer.ts';
import type { PacedRequests, ProducerMethods } from '../notify-ground/producer-process.ts';
import { type Provider, startProvider } from '../notify-ground/provider.ts';
import type { Arrivals } from '../notify-ground/provider-process.ts';

/** More than a campaign reaches while it is measured. */
const people = 40_000;
const highPerSecond = 100;
const campaignPerSecond = 500;
const connections = 64;
const worst = 1.2;
const WITHIN = `high-p99-within-${worst}`;

/** Urgent pushes from request to phone, without a campaign and beside one. */
export const campaignMixed: Benchmark = {
  name: 'campaign.mixed',
  summary: `${highPerSecond} urgent pushes a second, alone and beside a campaign at ${campaignPerSecond} a second`,
  targets: { [WITHIN]: 1 },
  async run(context) {
    const ground = await openGround(people, {
      sql: `INSERT INTO users (user_id, display_name) SELECT 'reader-' || n, 'Reader' FROM generate_series(0, ${people - 1}) AS n`,
    });
    const provider = await startProvider();
    const producer = startProducer();
    try {
      const contestants = (['alone', 'tidings'] as const).map(
        (name): Contestant<Sample> => ({
          name,
          measure: () => measure(ground, provider, producer, context, name === 'tidings'),
        }),
      );
      const samples = await context.rounds(contestants, (name, { p99Ms, campaign }) =>
        context.note(
          `${name}: high p99 ${p99Ms.toFixed(1)} ms, ${Math.round(campaign)} of the campaign a second`,
        ),
      );
      return outcomeOf(mediansOf(samples.get('alone')), mediansOf(samples.get('tidings')));
    } finally {
      await producer.stop();
      await provider.stop();
      await ground.stop();
    }
  },
};

interface Sample {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Messages of the campaign that arrived in a measured second. */
  readonly campaign: number;
  /** Cores that each process kept busy. */
  readonly cores: Readonly<Record<string, number>>;
}

async function measure(
  ground: Ground,
  provider: Provider,
  producer: Child<ProducerMethods>,
  { quick }: BenchContext,
  hasCampaign: boolean,
): Promise<Sample> {
  const [warmUpSeconds, seconds] = quick ? [3, 10] : [10, 45];
  await provider.forget();
  const place = await ground.fresh();
  const running: { stop(): Promise<void> }[] = [place];
  try {
    const api = await place.startApi();
    running.push(api);
    const worker = await place.startWorker(provider.environment);
    running.push(worker);
    await producer.call('open', api.url, connections);
    if (hasCampaign) await startCampaign(api.url);
    const processes = { api: api.pid, worker: worker.pid, provider: provider.pid, ...place.pids };
    const [paced, used] = await Promise.all([
      producer.call('pace', { perSecond: highPerSecond, warmUpSeconds, seconds }, people, 'high'),
      cpuDuring({ ...processes, load: producer.pid }, { warmUpSeconds, seconds }),
    ]);
    const arrivals = await untilAllArrived(provider, paced.accepted);
    const cores = Object.entries(used).map(([name, cpuSeconds]) => [name, cpuSeconds / seconds]);
    return { ...found(paced, arrivals, seconds), cores: Object.fromEntries(cores) };
  } finally {
    for (const one of running.reverse()) await one.stop();
  }
}

async function startCampaign(url: string): Promise<void> {
  const { signToken } =
    await loadProduct<typeof import('../../../src/platform/auth/auth.js')>('platform/auth/auth.js');
  const { AUTH_SECRET = '' } = productEnvironment('', '');
  const token = await signToken(AUTH_SECRET, {
    userId: 'marketing',
    roles: ['producer'],
    plan: 'enterprise',
    expiresInSeconds: 3_600,
  });
  const answer = await fetch(`${url}/api/v1/notifications/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({
      batch_id: 'mixed',
      template_id: 'low.push.en',
      variables: { name: 'Reader', text: 'Are you coming?' },
      segment: { filter: 'followerCount >= 0' },
      throttle: { max_per_second: campaignPerSecond },
    }),
  });
  if (answer.status !== 202) throw new Error(`${answer.status} ${await answer.text()}`);
}

/** Waits for the urgent ones; the campaign goes on meanwhile. */
async function untilAllArrived(provider: Provider, accepted: number): Promise<Arrivals> {
  for (let count = accepted; ; ) {
    await provider.untilArrived(count);
    const arrivals = await provider.arrivals();
    const urgent = new Set(arrivals.notificationIds.filter(isUrgent));
    if (urgent.size === accepted) return arrivals;
    count = arrivals.atMs.length + 1;
  }
}

const isUrgent = (notificationId: string): boolean => notificationId.startsWith('paced-');

function found(
  { numbers, dueMs }: PacedRequests,
  arrivals: Arrivals,
  seconds: number,
): Omit<Sample, 'cores'> {
  const at = new Map<string, number>();
  arrivals.notificationIds.forEach((id, index) => {
    if (isUrgent(id) && !at.has(id)) at.set(id, arrivals.atMs[index]!);
  });
  const tookMs = Array.from(numbers, (n, index) => at.get(pacedId(n))! - dueMs[index]!);
  const from = dueMs.reduce((least, due) => Math.min(least, due));
  const campaign = arrivals.notificationIds.filter(
    (id, index) =>
      !isUrgent(id) && arrivals.atMs[index]! >= from && arrivals.atMs[index]! < from + seconds * 1_000,
  ).length;
  const { p50Ms, p99Ms } = latencyOf(tookMs);
  return { p50Ms, p99Ms, campaign: campaign / seconds };
}

interface Medians {
  readonly latency: Partial<Omit<Sample, 'cores'>>;
  readonly cores: Readonly<Record<string, number>>;
}

const mediansOf = (samples: readonly Sample[] = []): Medians => ({
  latency: medianOfEach(samples.map(({ cores: _, ...latency }) => latency)),
  cores: medianOfEach(samples.map(({ cores }) => cores)),
});

function outcomeOf(
  { latency: alone, cores: coresAlone }: Medians,
  { latency: mixed, cores }: Medians,
): Outcome {
  const { p99Ms: before = Number.NaN } = alone;
  const { p99Ms: after = Number.NaN } = mixed;
  return {
    ratios: { [WITHIN]: (worst * before) / after },
    figures: {
      'alone high p50 ms': alone.p50Ms ?? Number.NaN,
      'alone high p99 ms': before,
      'beside a campaign high p50 ms': mixed.p50Ms ?? Number.NaN,
      'beside a campaign high p99 ms': after,
      'campaign arrived/s': mixed.campaign ?? Number.NaN,
      ...named('alone', coresAlone),
      ...named('beside a campaign', cores),
    },
  };
}

const named = (what: string, cores: Medians['cores']): Record<string, number> =>
  Object.fromEntries(Object.entries(cores).map(([name, busy]) => [`${what} ${name} cores`, busy]));
