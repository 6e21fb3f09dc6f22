import type { Alert } from './alert.js';
import type { Observation } from './observation.js';
import type { Rule } from './rules.js';
import { heldFor } from './windows.js';

/** What has to change about alerts. */
export interface AlertChanges {
  readonly raise: readonly Raise[];
  readonly resolve: readonly ActiveAlert[];
}

/** An alert to be raised. */
export type Raise = Pick<Alert, 'name' | 'scope' | 'severity' | 'message' | 'value' | 'threshold'>;

export type ActiveAlert = Pick<Alert, 'alertId' | 'name' | 'scope'>;

/** An alert that comes and goes is one alert: it is over once its rule was not breached for so long. */
const OVER_AFTER_MS = 60_000;

/**
 * Judges observations by rules: what has been breached for as long as its rule says is raised, unless it is active;
 * what is active and is known not to have been breached for a minute is resolved. Alerts of other rules stay as they
 * are.
 *
 * @param seen in order of time, without the future; at least one
 */
export function evaluate(
  rules: readonly Rule[],
  seen: readonly Observation[],
  active: readonly ActiveAlert[],
): AlertChanges {
  const changes = rules.map((rule) => judge(rule, seen, active));
  return {
    raise: changes.flatMap(({ raise }) => raise),
    resolve: changes.flatMap(({ resolve }) => resolve),
  };
}

function judge(rule: Rule, seen: readonly Observation[], active: readonly ActiveAlert[]): AlertChanges {
  const { name, severity, threshold } = rule;
  const own = active.filter((alert) => alert.name === name);
  const raise = rule
    .read(seen)
    .filter(({ scope, isBreached }) => isBreached && !own.some((alert) => alert.scope === scope))
    .filter(({ scope }) => heldFor(seen, rule.forMs, (upTo) => wasBreached(rule, upTo, scope) === true))
    .map(({ scope, message, value }) => ({ name, scope, severity, message, value, threshold }));
  const resolve = own.filter(({ scope }) =>
    heldFor(seen, OVER_AFTER_MS, (upTo) => wasBreached(rule, upTo, scope) === false),
  );
  return { raise, resolve };
}

/** Undefined where it cannot be known, which neither raises nor resolves. */
const wasBreached = (rule: Rule, seen: readonly Observation[], scope: string): boolean | undefined =>
  rule.read(seen).find((reading) => reading.scope === scope)?.isBreached;
