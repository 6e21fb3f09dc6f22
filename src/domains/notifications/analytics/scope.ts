import { PublicError } from '../../../platform/errors.js';
import type { Channel, Priority } from '../types.js';
import { MINUTE_MS } from './rollups.js';

/** What somebody asks for. What is absent narrows nothing. */
export interface AnalyticsQuery {
  readonly from: Date;
  readonly to: Date;
  readonly channel?: Channel | undefined;
  readonly priority?: Priority | undefined;
  readonly notificationType?: string | undefined;
  /** The one that requests named. */
  readonly templateId?: string | undefined;
  readonly batchId?: string | undefined;
}

/** The minutes that begin in [from, to), as milliseconds, and whose events count. */
export interface Scope extends Omit<AnalyticsQuery, 'from' | 'to'> {
  readonly from: number;
  readonly to: number;
}

const LONGEST_MS = 90 * 86_400_000;
const MAX_POINTS = 1_500;

/** @throws PublicError BAD_USER_INPUT where `to` is not after `from`, or more than 90 days after it */
export function readScope({ from, to, ...filter }: AnalyticsQuery): Scope {
  const length = to.getTime() - from.getTime();
  if (length <= 0) throw new PublicError('BAD_USER_INPUT', 'to must be after from', ['to']);
  if (length > LONGEST_MS)
    throw new PublicError('BAD_USER_INPUT', 'to is at most 90 days after from', ['to']);
  return { ...filter, from: nextMinute(from), to: nextMinute(to) };
}

/**
 * When the points of a series begin.
 *
 * @throws PublicError BAD_USER_INPUT for a step that is not in whole minutes, or so short that there were over 1,500 points
 */
export function pointsOf({ from, to }: Scope, stepSeconds: number): readonly number[] {
  const stepMs = stepSeconds * 1_000;
  if (stepSeconds <= 0 || stepMs % MINUTE_MS !== 0) {
    throw new PublicError('BAD_USER_INPUT', 'stepSeconds is a multiple of 60', ['stepSeconds']);
  }
  const count = Math.ceil((to - from) / stepMs);
  if (count > MAX_POINTS) {
    const message = `stepSeconds would give ${count} points; ${MAX_POINTS} are the most`;
    throw new PublicError('BAD_USER_INPUT', message, ['stepSeconds']);
  }
  return Array.from({ length: count }, (_, n) => from + n * stepMs);
}

/** The first minute that begins at an instant or after it. */
const nextMinute = (at: Date): number => Math.ceil(at.getTime() / MINUTE_MS) * MINUTE_MS;
