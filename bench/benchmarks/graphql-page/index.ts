import { deepStrictEqual } from 'node:assert';
import type { BenchContext, Benchmark, Outcome } from '../../harness/benchmark.ts';
import { type Child, canPin, startChild } from '../../harness/child.ts';
import { asClient, type ClientManners, clients } from '../../harness/client-manners.ts';
import { type Load, type LoadSample, startLoad } from '../../harness/load.ts';
import type { LoadMethods } from '../../harness/load-process.ts';
import { type Contestant, median, ratiosOver, type Samples } from '../../harness/rounds.ts';
import { pageRequests } from './request.ts';
import type { PageServerMethods } from './servers/page-server.ts';
import { verifyServer } from './verify.ts';

const ours = 'tidings';
const peers = ['apollo-express', 'apollo-fastify', 'yoga', 'mercurius-jit', 'bare'];
/** Before the name of a client whose manners our own server is asked with. */
const as = 'as-';
const asked: Readonly<Record<string, ClientManners>> = {
  ...clients,
  gzip: { headers: { 'accept-encoding': 'gzip' } },
  br: { headers: { 'accept-encoding': 'gzip, deflate, br' } },
};
const serverCore = 0;
const loadCore = 1;
/** With less of its core than this a server was slowed by somebody else. */
const shared = 0.85;

/** A page of 20 posts from memory, one server on one core at a time. */
export const graphqlPage: Benchmark = {
  name: 'graphql.page',
  summary: 'a page of 20 posts from memory: tidings, Apollo Server, Yoga, Mercurius compiled',
  targets: {
    'apollo-express': 8,
    'mercurius-jit': 1.5,
    ...Object.fromEntries(Object.keys(clients).map((client) => [as + client, 0.95])),
  },
  async run(context) {
    const pin = await canPin();
    if (!pin) context.note('no taskset or a single core: running unpinned, figures are rough');
    const load = startLoad(pin ? loadCore : undefined);
    const servers: Server[] = [];
    try {
      for (const name of [ours, ...peers].filter((name) => context.takesPart(name))) {
        servers.push(await startServer(name, pin ? serverCore : undefined));
      }
      await verifyAlike(servers);
      return await race(context, servers, load);
    } finally {
      await Promise.all([...servers.map(({ child }) => child.stop()), load.stop()]);
    }
  },
};

interface Server {
  readonly name: string;
  readonly origin: string;
  readonly child: Child<PageServerMethods>;
}

interface PageSample extends LoadSample {
  readonly serverBusy: number;
}

async function startServer(name: string, core: number | undefined): Promise<Server> {
  const child = startChild<PageServerMethods>(new URL(`./servers/${name}.ts`, import.meta.url), core);
  try {
    return { name, child, origin: `http://127.0.0.1:${await child.call('listen')}` };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

/** Every server is right by itself, and all answers are one and the same. */
async function verifyAlike(servers: readonly Server[]): Promise<void> {
  const answers = await Promise.all(servers.map(({ name, origin }) => verifyServer(name, origin)));
  for (const [n, answer] of answers.entries()) {
    deepStrictEqual(answer, answers[0], `${servers[n]?.name} answers otherwise than ${servers[0]?.name}`);
  }
}

async function race(
  context: BenchContext,
  servers: readonly Server[],
  load: Child<LoadMethods>,
): Promise<Outcome> {
  const plain = await pageRequests();
  const [warmUp, seconds] = context.quick ? [2, 2] : [5, 6];
  const loadOf = (origin: string, seconds: number, requests: Load['requests']): Load => ({
    origin,
    connections: 32,
    seconds,
    requests,
  });
  for (const { origin } of servers) await load.call('run', loadOf(origin, warmUp, plain));
  const contestantOf = (
    name: string,
    { origin, child }: Server,
    requests: Load['requests'],
  ): Contestant<PageSample> => ({
    name,
    async measure() {
      await child.call('busy');
      const sample = await load.call('run', loadOf(origin, seconds, requests));
      return { ...sample, serverBusy: await child.call('busy') };
    },
  });
  const contestants = servers.map((server) => contestantOf(server.name, server, plain));
  const own = servers.find(({ name }) => name === ours);
  for (const [client, manners] of own ? Object.entries(asked) : []) {
    const requests = plain.map((request) => asClient(request, manners));
    contestants.push(contestantOf(`${as}${client}`, own!, requests));
  }
  const samples = await context.rounds(contestants, (name, sample) => {
    context.note(
      `${name}: ${Math.round(sample.perSecond)} pages/s, ${Math.round(perCoreSecond(sample))} per core second`,
    );
    if (sample.serverBusy < shared)
      context.note(`${name} had ${Math.round(sample.serverBusy * 100)} % of its core`);
  });
  await verifyAlike(servers);
  return outcomeOf(samples);
}

/** What the ratios compare: equal to pages/s on a core of one's own, and still true on one that others use too. */
const perCoreSecond = ({ perSecond, serverBusy }: PageSample): number => perSecond / serverBusy;

function outcomeOf(samples: Samples<PageSample>): Outcome {
  const figures: Record<string, number> = {};
  for (const [name, taken] of samples) {
    figures[`${name} pages/core-s`] = median(taken.map(perCoreSecond));
    figures[`${name} pages/s`] = median(taken.map(({ perSecond }) => perSecond));
    figures[`${name} p50 ms`] = median(taken.map(({ p50Ms }) => p50Ms));
    figures[`${name} p99 ms`] = median(taken.map(({ p99Ms }) => p99Ms));
    figures[`${name} server core busy`] = median(taken.map(({ serverBusy }) => serverBusy));
    figures[`${name} load core busy`] = median(taken.map(({ loadBusy }) => loadBusy));
  }
  const ratios = Object.entries(ratiosOver(ours, samples, perCoreSecond)).map(([name, ratio]) => [
    name,
    // Of ours with a client's manners, over ours without.
    name.startsWith(as) ? 1 / ratio : ratio,
  ]);
  return { ratios: Object.fromEntries(ratios), figures };
}
