import { withinMs } from '../../../platform/deadline.js';
import type { Logger } from '../../../platform/logging/logger.js';
import { type Postgres, type Queryable, runOn } from '../../../platform/postgres/postgres.js';
import { versionOf } from '../rules/rules.js';
import type { Seen, SeenSource } from './choice.js';
import { newestPut } from './puts.js';
import type { ReloadMetrics } from './reload-metrics.js';
import type { RuleSource } from './rule-source.js';
import { firstSeenAfter } from './sources.js';

/** What a process knows of the places that rules come from. What one of them said last holds while it says nothing. */
export interface Sight {
  readonly seen: Seen;
  /** Which of them gave no answer the last time, and why. */
  readonly unreachable: readonly string[];
}

export const NOTHING_SEEN: Sight = { seen: { source: null, put: null }, unreachable: [] };

interface Deps {
  readonly source: RuleSource;
  readonly postgres: Pick<Postgres, 'pool'>;
  readonly answerMs: number;
  readonly logger: Logger;
  readonly metrics: ReloadMetrics;
}

/**
 * Looks at the source and at the table, both at once; at a version of the source that is new here, then asks whether
 * any process had seen it before. Takes twice `answerMs` at most, and never rejects.
 */
export async function look(deps: Deps, { seen }: Sight): Promise<Sight> {
  const unreachable: string[] = [];
  const missed = (place: string) => (err: unknown) => {
    unreachable.push(`${place} cannot be read: ${err instanceof Error ? err.message : String(err)}`);
    deps.logger.debug({ err, place }, 'a place of rate limit rules gave no answer');
    deps.metrics.reloaded('unreachable');
    return undefined;
  };
  const [read, newest] = await Promise.all([
    readSource(deps.source).catch(missed(deps.source.name)),
    newestPut(deps, seen.put).catch(missed('what was put')),
  ]);
  const source = read ? { ...read, seenAfter: knownOf(seen, read.version) } : seen.source;
  const put = newest === undefined ? seen.put : newest;
  // Postgres that has just given no answer is not waited for once more.
  if (!source || source.seenAfter !== null || newest === undefined)
    return { seen: { source, put }, unreachable };
  const asked = withinMs(deps.answerMs, firstSeenAfter(withTimeout(deps), source.version));
  const seenAfter = (await asked.catch(missed('which rules came first'))) ?? null;
  return { seen: { source: { ...source, seenAfter }, put }, unreachable };
}

async function readSource(source: RuleSource): Promise<Omit<SeenSource, 'seenAfter'>> {
  const document = await source.read();
  return { name: source.name, document, version: versionOf(document) };
}

const knownOf = ({ source }: Seen, version: string): number | null =>
  source?.version === version ? source.seenAfter : null;

/** A connection without an answer is dropped after the timeout, or every look would hold one more of the pool's. */
const withTimeout = ({ postgres, answerMs }: Deps): Queryable => ({
  query: (statement, values) => runOn(postgres.pool, statement, values, answerMs),
});
