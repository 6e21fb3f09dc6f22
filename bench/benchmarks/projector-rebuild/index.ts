import type { BenchContext, Benchmark, Outcome } from '../../harness/benchmark.ts';
import { type Child, startChild } from '../../harness/child.ts';
import { type PostgresServer, startPostgres } from '../../harness/postgres-server.ts';
import { type CpuSeconds, watchCpu } from '../../harness/process-cpu.ts';
import { type Contestant, median, type Samples } from '../../harness/rounds.ts';
import type { BuilderMethods } from './builder-process.ts';
import { copyAfresh } from './copy.ts';
import { type ModelName, models } from './model.ts';

const goal = 50_000;
const names = Object.keys(models) as ModelName[];
/** A longer log is not followed first, which takes twice as long as a rebuild: a first rebuild is what all others must equal. */
const followedTo = 1_000_000;
const goalOf = (name: ModelName): string => `${name}-over-${goal}-a-second`;

/** Read models built anew from a whole log, beside what reading it and a bare COPY of their rows, and of it, would take. */
export const projectorRebuild: Benchmark = {
  name: 'projector.rebuild',
  summary:
    'read models built anew from 200,000 events each, beside bare reading and a bare COPY of rows and events',
  targets: Object.fromEntries(names.map((name) => [goalOf(name), 1])),
  async run(context) {
    const server = await startPostgres(50);
    const builder = startChild<BuilderMethods>(new URL('./builder-process.ts', import.meta.url));
    try {
      const outcomes: Outcome[] = [];
      for (const name of names) outcomes.push(await raceOf(context, server, builder, name));
      return {
        ratios: Object.assign({}, ...outcomes.map(({ ratios }) => ratios)),
        figures: Object.assign({}, ...outcomes.map(({ figures }) => figures)),
      };
    } finally {
      await builder.stop();
      await server.stop();
    }
  },
};

async function raceOf(
  context: BenchContext,
  server: PostgresServer,
  builder: Child<BuilderMethods>,
  name: ModelName,
): Promise<Outcome> {
  const { tables } = models[name];
  const cpu: CpuSeconds[] = [];
  const database = name.replaceAll('-', '_');
  const databaseUrl = server.url(database);
  await server.run(`CREATE DATABASE ${database}`);
  context.note(`${name}: filling the log`);
  const events = await builder.call(
    'fill',
    databaseUrl,
    name,
    context.size ?? (context.quick ? 40_000 : 200_000),
  );
  await server.run('VACUUM ANALYZE', database);
  let followed: number | undefined;
  if (events <= followedTo) followed = events / (await builder.call('follow', databaseUrl, name));
  else {
    await server.run(
      `WITH known AS (INSERT INTO projectors (projector_name, rebuildable) VALUES ('${name}', true))
       INSERT INTO projector_positions (projector_name, position) VALUES ('${name}', ${events})`,
      database,
    );
    await builder.call('rebuild', databaseUrl, name);
  }
  const live = await contentOf(server, database, tables);

  const contestants = (
    [
      ['tidings', () => builder.call('rebuild', databaseUrl, name)],
      ['read-of-events', () => builder.call('read', databaseUrl, events)],
      ['copy-of-rows', () => copyAfresh(databaseUrl, tables)],
      ['copy-of-events', () => copyAfresh(databaseUrl, ['events'])],
    ] as const
  ).filter(([contestant]) => context.takesPart(contestant));
  const samples = await context.rounds(
    contestants.map(
      ([contestant, seconds]): Contestant<number> => ({
        name: contestant,
        async measure() {
          await server.run('CHECKPOINT');
          const used = await watchCpu({ builder: builder.pid, postgres: await server.pid() });
          const perSecond = events / (await seconds());
          if (contestant === 'tidings') cpu.push(await used());
          if ((await contentOf(server, database, tables)) !== live)
            throw new Error(`${name} was built anew and is not what it was before`);
          return perSecond;
        },
      }),
    ),
    (contestant, perSecond) => context.note(`${name} ${contestant}: ${Math.round(perSecond)} events/s`),
  );
  return outcomeOf(name, samples, { events, followed, cpu });
}

/** All rows of the tables as one text, whatever their order. */
async function contentOf(
  server: PostgresServer,
  database: string,
  tables: readonly string[],
): Promise<string> {
  const contents: string[] = [];
  for (const table of tables) {
    const [row] = await server.run<{ rows: string; sum: string }>(
      `SELECT count(*) AS rows, sum(hashtextextended(t::text, 0)) AS sum FROM ${table} t`,
      database,
    );
    contents.push(`${table}: ${row?.rows} ${row?.sum}`);
  }
  return contents.join(', ');
}

function outcomeOf(
  name: ModelName,
  samples: Samples<number>,
  { events, followed, cpu }: { events: number; followed: number | undefined; cpu: readonly CpuSeconds[] },
): Outcome {
  const figures: Record<string, number> = { [`${name} events`]: events };
  if (followed !== undefined) figures[`${name} followed live events/s`] = followed;
  for (const process of Object.keys(cpu[0] ?? {})) {
    const seconds = median(cpu.map((used) => used[process] ?? Number.NaN));
    figures[`${name} ${process} CPU µs an event`] = (seconds * 1e6) / events;
  }
  const ratios: Record<string, number> = {};
  const rates = new Map([...samples].map(([contestant, taken]) => [contestant, median(taken)]));
  for (const [contestant, rate] of rates) figures[`${name} ${contestant} events/s`] = rate;
  const ours = rates.get('tidings');
  if (ours !== undefined) {
    ratios[goalOf(name)] = ours / goal;
    rates.delete('tidings');
    for (const [contestant, rate] of rates) ratios[`${name}-${contestant}`] = ours / rate;
  }
  return { ratios, figures };
}
