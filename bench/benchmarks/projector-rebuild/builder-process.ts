import type { Registry } from 'prom-client';
import type { LogWatch } from '../../../src/platform/logging/log-signal.js';
import type { Projector } from '../../../src/platform/projector/projector.js';
import { answerParent } from '../../harness/answer-parent.ts';
import { loadPackageOfProduct, loadProduct } from '../../harness/product.ts';
import { callerNamed, migrateProduct, openLog } from '../../harness/product-app.ts';
import { fillLog } from './fill.ts';
import { type ModelName, models } from './model.ts';

/** What a process that fills logs and builds read models does for the benchmark. */
export type BuilderMethods = typeof methods;

/** Positions that a rebuild reads at once. */
const aWindow = 5_000;

const methods = {
  /** Writes a model's log as appends would have left it; answers how many events it has. */
  async fill(databaseUrl: string, name: ModelName, events: number): Promise<number> {
    await migrateProduct(databaseUrl);
    const { postgres, log } = await openLog(databaseUrl, 2);
    const { ensureEventPartitions, sealEventPartitions } = await loadProduct<
      typeof import('../../../src/platform/event-log/partitions.js')
    >('platform/event-log/partitions.js');
    await fillLog(databaseUrl, models[name].log(events), () => ensureEventPartitions(postgres));
    await sealEventPartitions(postgres, new AbortController().signal);
    const head = await log.head();
    await postgres.close();
    return head;
  },

  /** Runs the model's live projector until it has reached the log's end; answers how long it took. */
  async follow(databaseUrl: string, name: ModelName): Promise<number> {
    const parts = await open(databaseUrl, name);
    const { runProjector } =
      await loadProduct<typeof import('../../../src/platform/projector/run.js')>('platform/projector/run.js');
    const head = await parts.log.head();
    const reached = new AbortController();
    // It waits for more only where it has applied all that there is.
    const watch: LogWatch = { grown: async () => reached.abort() };
    const startedAt = performance.now();
    await runProjector({ ...parts, watch }, parts.projector, reached.signal);
    const seconds = (performance.now() - startedAt) / 1000;
    await checkPosition(parts, `SELECT projector_position($1) AS last_position`, head);
    await parts.close();
    return seconds;
  },

  /** The bare loop under a rebuild: reads the log in a rebuild's windows and does nothing with it. */
  async read(databaseUrl: string, events: number): Promise<number> {
    const { postgres, log } = await openLog(databaseUrl, 2);
    const startedAt = performance.now();
    for (let position = 0; position < events; ) position = (await log.readAll(position, aWindow)).through;
    const seconds = (performance.now() - startedAt) / 1000;
    await postgres.close();
    return seconds;
  },

  /** Builds the model anew as the worker does when it is asked to; answers how long it took, the swap included. */
  async rebuild(databaseUrl: string, name: ModelName): Promise<number> {
    const parts = await open(databaseUrl, name);
    const { rebuild } = await loadProduct<typeof import('../../../src/platform/projector/rebuild.js')>(
      'platform/projector/rebuild.js',
    );
    const { requestRebuild } = await loadProduct<
      typeof import('../../../src/platform/projector/overview.js')
    >('platform/projector/overview.js');
    const requested = await requestRebuild(parts.postgres, callerNamed('admin', 'rebuild', 'admin'), name);
    if (!requested.ok) throw new Error(`no rebuild of ${name}: ${requested.errors[0]?.message}`);
    const startedAt = performance.now();
    await rebuild(parts, parts.projector, new AbortController().signal);
    const seconds = (performance.now() - startedAt) / 1000;
    const finished = `SELECT position AS last_position FROM projector_rebuilds
      WHERE projector_name = $1 AND finished_at IS NOT NULL AND error IS NULL`;
    await checkPosition(parts, finished, await parts.log.head());
    if (parts.woken() > 0) throw new Error(`rebuilding ${name} woke somebody`);
    await parts.close();
    return seconds;
  },
};

/** What projectors of the product work with, on one database, and the model's own. */
async function open(databaseUrl: string, name: ModelName) {
  const { createCommerceReadModels } = await loadProduct<
    typeof import('../../../src/projectors/commerce/index.js')
  >('projectors/commerce/index.js');
  const { createProjectorMetrics } = await loadProduct<
    typeof import('../../../src/platform/projector/metrics.js')
  >('platform/projector/metrics.js');
  const { createLogger } = await loadProduct<typeof import('../../../src/platform/logging/logger.js')>(
    'platform/logging/logger.js',
  );
  const { createLogTail } = await loadProduct<typeof import('../../../src/platform/event-log/index.js')>(
    'platform/event-log/index.js',
  );
  const prometheus = loadPackageOfProduct<{ Registry: new () => Registry }>('prom-client');
  const { postgres, log } = await openLog(databaseUrl, 2);
  let woken = 0;
  async function publish(wakeUps: readonly unknown[]): Promise<void> {
    woken += wakeUps.length;
  }
  const wakeUps = { publish };
  const projector: Projector | undefined = createCommerceReadModels({ wakeUps }).find(
    (one) => one.name === name,
  );
  if (!projector) throw new Error(`the product has no projector ${name}`);
  return {
    databaseUrl,
    postgres,
    log,
    tail: createLogTail(log),
    projector,
    wakeUps,
    logger: createLogger('bench', 'warn'),
    metrics: createProjectorMetrics(new prometheus.Registry()),
    woken: () => woken,
    close: () => postgres.close(),
  };
}

async function checkPosition(
  { postgres, projector }: Awaited<ReturnType<typeof open>>,
  statement: string,
  head: number,
): Promise<void> {
  const { rows } = await postgres.query<{ last_position: number }>(statement, [projector.name]);
  const position = rows[0]?.last_position ?? 'nowhere';
  if (position !== head) throw new Error(`${projector.name} is at ${position}, the log at ${head}`);
}

answerParent(methods);
