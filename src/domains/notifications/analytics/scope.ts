import { PublicError } from '../../../platform/errors.js';
import type { Channel, Priority } from '../types.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './rollups.js';

/** What somebody asks for. What is absent narrows nothing. */
export interface AnalyticsQuery {
  readonly from: Date;
  readonly to: Date;
  readonly channel?: Channel | undefined;
  readonly priority?: Priority | undefined;
  readonly notificationType?: string | undefined;
  /** The one that requests named. */
  readonly templateId?: string | undefined;
  /** One campaign's; null: of one that there is not. */
  readonly campaignId?: string | null | undefined;
}

/** The minutes that begin in [from, to), as milliseconds, and whose events count. */
export interface Scope extends Omit<AnalyticsQuery, 'from' | 'to'> {
  readonly from: number;
  readonly to: number;
}

const LONGEST_MS = 90 * DAY_MS;
/** A series over more reads no minutes but those of hours that are not settled yet. */
const EXACT_MS = 2 * DAY_MS;
const MAX_POINTS = 1_500;

/** @throws PublicError BAD_USER_INPUT where `to` is not after `from`, or more than 90 days after it */
export function readScope({ from, to, ...filter }: AnalyticsQuery): Scope {
  const length = to.getTime() - from.getTime();
  if (length <= 0) throw badInput('to', 'to must be after from');
  if (length > LONGEST_MS) throw badInput('to', 'to is at most 90 days after from');
  return { ...filter, from: nextMinute(from), to: nextMinute(to) };
}

/** Whether a series of it counts whole hours. */
export const isLong = ({ from, to }: Scope): boolean => to - from > EXACT_MS;

/**
 * When the points of a series begin.
 *
 * @throws PublicError BAD_USER_INPUT for a step that is not in whole minutes, over more than two days not in whole hours, or so short
 *   that there were over 1,500 points
 */
export function pointsOf(scope: Scope, stepSeconds: number): readonly number[] {
  const { from, to } = scope;
  const stepMs = stepSeconds * 1_000;
  if (stepSeconds <= 0 || stepMs % MINUTE_MS !== 0)
    throw badInput('stepSeconds', 'stepSeconds is a multiple of 60');
  const count = Math.ceil((to - from) / stepMs);
  if (count > MAX_POINTS)
    throw badInput('stepSeconds', `stepSeconds would give ${count} points; ${MAX_POINTS} are the most`);
  if (isLong(scope) && stepMs % HOUR_MS !== 0)
    throw badInput(
      'stepSeconds',
      'Over more than two days stepSeconds is a multiple of 3600: ask for less time, or for longer steps',
    );
  return Array.from({ length: count }, (_, n) => from + n * stepMs);
}

/** The first minute that begins at an instant or after it. */
const nextMinute = (at: Date): number => Math.ceil(at.getTime() / MINUTE_MS) * MINUTE_MS;

const badInput = (argument: string, message: string): PublicError =>
  new PublicError('BAD_USER_INPUT', message, [argument]);
