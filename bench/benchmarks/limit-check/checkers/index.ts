import type { OpenChecker } from './checker.ts';
import { openFlexible } from './flexible.ts';
import { openCounters, openTidings } from './tidings.ts';

export type CheckerName = 'tidings' | 'counters' | 'flexible';

/** Everybody who takes part. */
export const checkers: Readonly<Record<CheckerName, OpenChecker>> = {
  tidings: openTidings,
  counters: openCounters,
  flexible: openFlexible,
};
