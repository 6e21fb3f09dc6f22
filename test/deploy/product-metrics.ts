import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readPromql } from '../../deploy/checks/promql.ts';
import { createTestDatabase } from '../support/database.js';
import { startApi, startWorker } from '../support/processes.js';
import { startTestRedis } from '../support/redis.js';

export interface ProductMetric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly labels: readonly string[];
}

const hook = new URL('../support/list-metrics.mjs', import.meta.url);

/** Prometheus itself adds these to what it scrapes, and a process its own name. */
const LABELS_OF_ALL = ['instance', 'job', 'namespace', 'pod', 'process'];

/** Prometheus' own, of each process that it scrapes. */
const UP: ProductMetric = { name: 'up', type: 'gauge', labels: [] };

/** What a started api and worker have registered, by name. */
export async function readProductMetrics(): Promise<ReadonlyMap<string, ProductMetric>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-metrics-'));
  const [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
  try {
    const lists = await Promise.all(
      [startApi, startWorker].map(async (start) => {
        const file = path.join(folder, start.name);
        const env = {
          NODE_OPTIONS: `--import=${hook.href}`,
          METRICS_LIST: file,
          // A replica that is away keeps nobody from starting; without one there are no metrics of it.
          DATABASE_REPLICA_URLS: 'postgres://127.0.0.1:1/none',
        };
        const process = await start({ databaseUrl: database.url, redisUrl: redis.url, env });
        await process.kill('SIGTERM');
        return JSON.parse(await readFile(file, 'utf8')) as ProductMetric[];
      }),
    );
    return new Map([UP, ...lists.flat()].map((metric) => [metric.name, metric]));
  } finally {
    await Promise.all([redis.stop(), database.drop(), rm(folder, { recursive: true })]);
  }
}

/**
 * What in an expression the product does not have, in words; none: it can be answered.
 *
 * @param shown further labels that are expected of the answer, in a legend for example
 */
export function missingIn(
  expression: string,
  metrics: ReadonlyMap<string, ProductMetric>,
  shown: readonly string[] = [],
): string[] {
  const { selectors, groupedBy } = readPromql(expression);
  const known = new Set<string>(LABELS_OF_ALL);
  const missing: string[] = [];
  for (const { metric, labels } of selectors) {
    const own = labelsOf(metric, metrics);
    if (!own) missing.push(`metric ${metric}`);
    for (const label of own ?? []) known.add(label);
    missing.push(
      ...labels.filter((label) => own && !own.includes(label)).map((label) => `${metric}{${label}}`),
    );
  }
  return [...missing, ...[...groupedBy, ...shown].filter((label) => !known.has(label))];
}

/** Of what Prometheus stores under this name: a histogram is three. */
function labelsOf(name: string, metrics: ReadonlyMap<string, ProductMetric>): string[] | undefined {
  const whole = metrics.get(name);
  if (whole && whole.type !== 'histogram') return [...whole.labels, ...LABELS_OF_ALL];
  const [, base, part] = /^(.*)_(bucket|sum|count)$/.exec(name) ?? [];
  const histogram = metrics.get(base ?? '');
  if (histogram?.type !== 'histogram') return undefined;
  return [...histogram.labels, ...LABELS_OF_ALL, ...(part === 'bucket' ? ['le'] : [])];
}
