import type { Registry } from 'prom-client';
import type { Caller } from '../../../platform/auth/caller.js';
import type { Clock } from '../../../platform/clock.js';
import { ok, type Result, refused, refusedAll } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logging/logger.js';
import type { Connection, PageRequest } from '../../../platform/paging.js';
import type { Postgres } from '../../../platform/postgres/postgres.js';
import type { Redis } from '../../../platform/redis/redis.js';
import { type ParsedRules, type Rules, readRules, TookTooLong } from '../rules/rules.js';
import type { Seen } from './choice.js';
import { sentence, toUserError } from './faults.js';
import { followRules } from './follow.js';
import { addPut, holdsEverywhere, lockNewestPut, type PutRules, pageOfPuts } from './puts.js';
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

export type RuleKeeper = Awaited<ReturnType<typeof openRuleKeeper>>;

/** What an admin puts. */
export interface NewRules {
  readonly document: string;
  /** True: it is only checked. */
  readonly dryRun: boolean;
  /** What must be in force, unless it is this very document. Absent: anything. */
  readonly expectedVersion?: string | undefined;
}

/** How often every source is polled. */
const POLL_MS = 30_000;

/**
 * Keeps this process's rules current, and swaps them whole: loads them, and follows their sources from then on.
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
}) {
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

  /**
   * The put is newer than the own source, also where no process had seen that before. Nothing is put where something else is in force
   * than its caller expects, also where another process has put it since the last look.
   */
  function store(
    caller: Caller,
    put: {
      readonly version: string;
      readonly document: string;
      readonly expectedVersion?: string | undefined;
    },
    seen: Seen,
  ): Promise<Seen> {
    return postgres.transaction(async (tx) => {
      const newest = await lockNewestPut(tx, seen.put);
      const { version } =
        newest && newest.sequence !== seen.put?.sequence ? newest : follower.inForce().rules;
      if (!isExpected(put, version)) throw new OtherVersion(version);
      const { source } = seen;
      return {
        source: source && { ...source, seenAfter: await firstSeenAfter(tx, source.version) },
        put: await addPut({ postgres: tx, clock }, caller, put),
      };
    });
  }

  /** Faults come as userErrors, and so does a document that could not be read in time. */
  async function check(document: string): Promise<Result<Rules>> {
    const parsed = await read(document).catch(asFault);
    return parsed.ok ? ok(parsed.rules) : refusedAll(parsed.faults.map(toUserError));
  }

  return {
    check,
    /** The rules of this moment. */
    current: (): Rules => follower.inForce().rules,
    ruleSet,
    /**
     * Checks a document, as `check` does, and, unless `dryRun`, puts it in force on every process. One that was put last and is in
     * force on every process is not kept again.
     *
     * Refused with RATE_LIMIT_RULES_INVALID, or with VERSION_CONFLICT.
     */
    async put(caller: Caller, { document, dryRun, expectedVersion }: NewRules): Promise<Result<RuleSet>> {
      const checked = await check(document);
      if (!checked.ok) return checked;
      const { version } = checked.value;
      if (dryRun) {
        const present = ruleSet().version;
        if (!isExpected({ version, expectedVersion }, present)) return conflict(expectedVersion, present);
        return ok({
          ...shown(checked.value),
          source: 'dry run',
          loadedAt: new Date(clock.now()),
          lastError: null,
        });
      }
      let other: string | null = null;
      await follower.change(async (seen) => {
        if (ruleSet().lastError === null && (await holdsEverywhere(postgres, version))) return seen;
        return store(caller, { version, document, expectedVersion }, seen).catch((error: unknown) => {
          if (!(error instanceof OtherVersion)) throw error;
          other = error.version;
          return seen;
        });
      });
      return other === null ? ok(ruleSet()) : conflict(expectedVersion, other);
    },
    /** Looks at every source again, here and on every process. */
    async reload(): Promise<Result<RuleSet>> {
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
    /** Looks at every source again, here alone: SIGHUP. */
    lookAgain: follower.lookAgain,
    /** Who put what, newest first. */
    history: (page: PageRequest): Promise<Connection<PutRules>> => pageOfPuts(postgres, page),
    close: follower.close,
  };
}

/** Whether what is in force may be replaced. What is put a second time, since its answer was lost, replaces nothing. */
const isExpected = (
  { version, expectedVersion }: { readonly version: string; readonly expectedVersion?: string | undefined },
  inForce: string,
): boolean => expectedVersion === undefined || expectedVersion === inForce || version === inForce;

/** Ends the transaction of a put that expects another version. */
class OtherVersion extends Error {
  constructor(readonly version: string) {
    super(`version ${version} is in force`);
  }
}

const conflict = (expected: string | undefined, inForce: string): Result<never> =>
  refused('VERSION_CONFLICT', `Expected version ${expected}, but version ${inForce} is in force`, [
    'input',
    'expectedVersion',
  ]);

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
