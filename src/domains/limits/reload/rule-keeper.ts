import type { Registry } from 'prom-client';
import type { Caller } from '../../../platform/caller.js';
import type { Clock } from '../../../platform/clock.js';
import { ok, type Result, refused, refusedAll } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logger.js';
import type { Connection, PageRequest } from '../../../platform/paging.js';
import type { Postgres } from '../../../platform/postgres.js';
import type { Redis } from '../../../platform/redis.js';
import { type ParsedRules, type Rules, readRules, TookTooLong } from '../rules/rules.js';
import type { Seen } from './choice.js';
import { sentence, toUserError } from './faults.js';
import { followRules } from './follow.js';
import { addPut, holdsEverywhere, pageOfPuts } from './puts.js';
import { createReloadMetrics } from './reload-metrics.js';
import { SOURCE_ANSWER_MS } from './rule-source.js';
import { firstSeenAfter } from './sources.js';

/** The rules in force, and how they came to be. */
export interface RuleSet {
  readonly domain: string;
  readonly version: string;
  /** A file's path, a URL, or `put by <user>`. */
  readonly source: string;
  readonly document: string;
  readonly loadedAt: Date;
  /** Why the newest document is not in force; null once a good one is. */
  readonly lastError: string | null;
  /** The rules of it that never hold, each with its place, its path and why. */
  readonly warnings: readonly string[];
}

/** A document that was put through the API. */
export interface PutRules {
  readonly sequence: number;
  readonly version: string;
  readonly document: string;
  readonly putBy: string;
  readonly putAt: Date;
  readonly correlationId: string;
}

/** Keeps this process's rules current, and swaps them whole. */
export interface RuleKeeper {
  /** The rules of this moment. */
  current(): Rules;
  ruleSet(): RuleSet;
  /**
   * Checks a document and, unless `dryRun`, puts it in force on every process. Faults come as userErrors, and so does a
   * document that could not be read in time. One that was put last and is in force on every process is not kept again.
   */
  put(caller: Caller, input: { document: string; dryRun: boolean }): Promise<Result<RuleSet>>;
  /** Looks at every source again, here and on every process. */
  reload(): Promise<Result<RuleSet>>;
  /** Looks at every source again, here alone: SIGHUP. */
  lookAgain(): Promise<void>;
  /** Who put what, newest first. */
  history(page: PageRequest): Promise<Connection<PutRules>>;
  close(): Promise<void>;
}

/** How often every source is polled. */
const POLL_MS = 30_000;

/**
 * Loads the rules and follows their sources from then on.
 *
 * @param source a file's path or an http(s) URL
 * @param subscriber a connection of its own, for the subscription to `rate_limit_rules`; closed with the keeper
 * @param endpoints every endpoint that the gate is asked about, as requests name it; where absent, none is missed
 * @param read how a document is checked
 * @param pollMs how often every source is polled
 * @param answerMs within this a source has answered, or counts as unreachable
 * @throws StartError when there is no good document to start with
 */
export async function openRuleKeeper(deps: {
  source: string;
  postgres: Postgres;
  redis: Redis;
  subscriber: Redis;
  clock: Clock;
  logger: Logger;
  metrics: Registry;
  endpoints?: ReadonlySet<string>;
  read?: (document: string) => Promise<ParsedRules>;
  pollMs?: number;
  answerMs?: number;
}): Promise<RuleKeeper> {
  const { postgres, clock, pollMs = POLL_MS, answerMs = SOURCE_ANSWER_MS } = deps;
  const read = deps.read ?? ((document: string) => readRules(document, deps.endpoints));
  const metrics = createReloadMetrics(deps.metrics);
  const follower = await followRules({ ...deps, metrics, read, pollMs, answerMs });

  function ruleSet(): RuleSet {
    const { rules, candidate, loadedAt } = follower.inForce();
    const { fault, unreachable } = follower.trouble();
    const lastError = [fault, unreachable].filter((why) => why !== null).join('; ') || null;
    return { ...shown(rules), source: candidate.source, loadedAt, lastError };
  }

  /** The put is newer than the own source, also where no process had seen that before. */
  function store(
    caller: Caller,
    put: { readonly version: string; readonly document: string },
    { source }: Seen,
  ): Promise<Seen> {
    return postgres.transaction(async (tx) => ({
      source: source && { ...source, seenAfter: await firstSeenAfter(tx, source.version) },
      put: await addPut({ postgres: tx, clock }, caller, put),
    }));
  }

  return {
    current: () => follower.inForce().rules,
    ruleSet,
    async put(caller, { document, dryRun }) {
      const parsed = await read(document).catch(asFault);
      if (!parsed.ok) return refusedAll(parsed.faults.map(toUserError));
      if (dryRun) {
        return ok({
          ...shown(parsed.rules),
          source: 'dry run',
          loadedAt: new Date(clock.now()),
          lastError: null,
        });
      }
      const { version } = parsed.rules;
      await follower.change(async (seen) => {
        if (ruleSet().lastError === null && (await holdsEverywhere(postgres, version))) return seen;
        return store(caller, { version, document }, seen);
      });
      return ok(ruleSet());
    },
    async reload() {
      follower.notify();
      await follower.lookAgain();
      const present = ruleSet();
      if (present.lastError === null) return ok(present);
      const isFaulty = follower.trouble().fault !== null;
      return refused(
        isFaulty ? 'RATE_LIMIT_RULES_INVALID' : 'RATE_LIMIT_RULES_UNREACHABLE',
        present.lastError,
      );
    },
    lookAgain: () => follower.lookAgain(),
    history: (page) => pageOfPuts(postgres, page),
    close: async () => follower.close(),
  };
}

/** A document that takes too long to read is a fault where it is put; one that is followed is read again later. */
function asFault(error: unknown): ParsedRules {
  if (!(error instanceof TookTooLong)) throw error;
  return { ok: false, faults: [{ line: 1, column: 1, message: `the document ${error.message}`, path: [] }] };
}

const shown = ({ domain, version, document, warnings }: Rules) => ({
  domain,
  version,
  document,
  warnings: warnings.map(sentence),
});
