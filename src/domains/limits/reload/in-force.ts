import type { Clock } from '../../../platform/clock.js';
import type { Logger } from '../../../platform/logging/logger.js';
import { StartError } from '../../../platform/process/start-error.js';
import { type ParsedRules, type Rules, TookTooLong } from '../rules/rules.js';
import { type Candidate, rank, type Seen } from './choice.js';
import { describeFaults, sentence } from './faults.js';
import type { ReloadMetrics } from './reload-metrics.js';

/** Rules that passed every check, and when they came in force here. */
export interface InForce {
  readonly candidate: Candidate;
  readonly rules: Rules;
  readonly loadedAt: Date;
}

interface Deps {
  readonly read: (document: string) => Promise<ParsedRules>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: ReloadMetrics;
}

/**
 * The rules that this process goes by. Always some, always whole: they change by one assignment. Begins with the best good
 * document there is.
 *
 * @param otherwise why there may be fewer documents than there should be
 * @throws StartError when none is good: names each one's faults by line and column
 */
export async function holdRules(deps: Deps, seen: Seen, otherwise: readonly string[]) {
  const faults: Fault[] = [];
  for (const candidate of rank(seen)) {
    const checked = await check(deps, candidate);
    if (checked.ok) return holdFrom(deps, enforce(deps, candidate, checked.rules), faults[0] ?? null);
    faults.push(checked.fault);
  }
  const reasons = [...faults.map(({ why }) => why), ...otherwise];
  throw new StartError(`There are no good rate limit rules to start with: ${reasons.join('; ')}`);
}

function holdFrom(deps: Deps, first: InForce, firstFault: Fault | null) {
  let inForce = first;
  let fault = firstFault;
  return {
    inForce: () => inForce,
    /** Why the newest document is not in force: it is faulty. */
    fault: () => fault?.why ?? null,
    /** Takes in force what ought to be, if it is good and is not already; else everything stays as it is. */
    async follow(seen: Seen): Promise<void> {
      const newest = rank(seen)[0];
      if (!newest || newest.id === fault?.of) return;
      if (newest.id === inForce.candidate.id) {
        fault = null;
        return;
      }
      const checked = await check(deps, newest);
      if (checked.ok) inForce = enforce(deps, newest, checked.rules);
      fault = checked.ok ? null : checked.fault;
    },
  };
}

interface Fault {
  readonly why: string;
  /** The candidate that need not be checked again; null where the check itself failed. */
  readonly of: string | null;
}

type Checked = { readonly ok: true; readonly rules: Rules } | { readonly ok: false; readonly fault: Fault };

async function check({ read, logger, metrics }: Deps, { id, source, document }: Candidate): Promise<Checked> {
  try {
    const parsed = await read(document);
    if (parsed.ok) return parsed;
    metrics.reloaded('rejected');
    return { ok: false, fault: { of: id, why: `${source}: ${describeFaults(parsed.faults)}` } };
  } catch (err) {
    logger.error({ err, source }, 'rate limit rules could not be checked');
    const why = err instanceof TookTooLong ? err.message : 'could not be checked';
    return { ok: false, fault: { of: null, why: `${source}: ${why}` } };
  }
}

function enforce({ clock, logger, metrics }: Deps, candidate: Candidate, rules: Rules): InForce {
  metrics.reloaded('ok');
  logger.info({ version: rules.version, source: candidate.source }, 'rate limit rules in force');
  if (rules.warnings.length > 0) {
    const warnings = rules.warnings.map(sentence);
    logger.warn(
      { version: rules.version, source: candidate.source, warnings },
      'rate limit rules never hold',
    );
  }
  return { candidate, rules, loadedAt: new Date(clock.now()) };
}
