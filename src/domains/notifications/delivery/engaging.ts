import { storable } from '../text.js';
import { type DeliveryStatus, type Detail, type LifecycleEvent, rulesOf } from '../types.js';
import {
  type Circumstances,
  type DeliveryReport,
  RANK,
  type ReportState,
  reached,
  stepsTo,
} from './report-state.js';
import type { TransitionEvent } from './transition.js';

/** No person reads a mail this soon after it was sent; scanners do. */
const EARLY_MS = 2_000;
/** Opens and clicks kept of a delivery, besides a person's first, so that nobody can fill the table. */
const MAX_ENGAGEMENTS = 50;
const MAX_TEXT = 2_000;
const MAX_USER_AGENT = 200;

/** What a person did proves that the delivery arrived; what a machine did is recorded and moves nothing. */
export function engage(
  state: ReportState,
  event: 'OPENED' | 'CLICKED' | 'DISMISSED',
  report: DeliveryReport,
  at: Circumstances,
): ReportState {
  const isBot = report.suspectedBot || (report.isFetch && isEarly(at));
  const detail = { ...kept(report.detail), ...(isBot && { suspected_bot: true }) };
  const key = keyOf(event, detail);
  if (state.engaged.has(key) || isUncalled(state, at)) return state;
  const isFirst = !isBot && !hasDone(state, event);
  const isWaiting = RANK[state.status] === 0;
  if (!isFirst && (isWaiting || state.engaged.size >= MAX_ENGAGEMENTS)) return state;
  const steps = isBot ? [] : stepsTo('DELIVERED', state.status);
  const status = isBot ? state.status : later(state.status, event);
  return {
    ...state,
    status,
    events: [...state.events, ...steps, withDetail(event, status, detail)],
    target: isWaiting ? reached(state, report, at) : state.target,
    engaged: new Set([...state.engaged, key]),
  };
}

/** A user who unsubscribes has got the mail. Exempt types go on: a slip must lock nobody out. */
export function unsubscribe(state: ReportState, report: DeliveryReport, at: Circumstances): ReportState {
  const { exempt } = rulesOf(at.delivery.notificationType);
  // Nobody chooses in the future, whatever a provider's clock says.
  const wanted = new Date(report.at && report.at.getTime() < at.now ? report.at : at.now);
  const unsubscribedAt = exempt ? null : latest(state.unsubscribedAt, wanted);
  const key = keyOf('UNSUBSCRIBED', null);
  if (state.engaged.has(key)) return { ...state, unsubscribedAt };
  const steps = RANK[state.status] === undefined ? [] : stepsTo('DELIVERED', state.status);
  const status = steps.at(-1)?.status ?? state.status;
  const detail = { ...kept(report.detail), ...(exempt && { preference: 'unchanged' }) };
  return {
    ...state,
    status,
    events: [...state.events, ...steps, withDetail('UNSUBSCRIBED', status, detail)],
    target: RANK[state.status] === 0 ? reached(state, report, at) : state.target,
    engaged: new Set([...state.engaged, key]),
    unsubscribedAt,
  };
}

const later = (status: DeliveryStatus, event: 'OPENED' | 'CLICKED' | 'DISMISSED'): DeliveryStatus =>
  RANK[event]! > RANK[status]! ? event : status;

const latest = (a: Date | null, b: Date): Date => (a && a > b ? a : b);

/** Fetched before any call was recorded, or just after. */
const isEarly = ({ past, now }: Circumstances): boolean =>
  past.calledAt === null || now - past.calledAt.getTime() < EARLY_MS;

/** Nothing of it can have arrived anywhere. */
const isUncalled = (state: ReportState, { delivery, past }: Circumstances): boolean =>
  RANK[state.status] === 0 && !delivery.isLeased && past.calledAt === null;

/** Somebody else's words, as far as they are kept. */
const kept = (detail: Detail = {}): Detail =>
  Object.fromEntries(
    Object.entries(detail).map(([name, value]) => [
      name,
      typeof value === 'string' ? storable(value, name === 'user_agent' ? MAX_USER_AGENT : MAX_TEXT) : value,
    ]),
  );

const withDetail = (event: LifecycleEvent, status: DeliveryStatus, detail: Detail): TransitionEvent => ({
  event,
  status,
  ...(Object.keys(detail).length > 0 && { detail }),
});

/** Two engagements of one key are one and the same. */
export function keyOf(event: LifecycleEvent, detail: Detail | null): string {
  const who = detail?.suspected_bot ? 'bot' : 'person';
  const what = event === 'CLICKED' ? (detail?.url ?? detail?.action_id ?? '') : '';
  return `${who} ${event} ${what}`;
}

/** Whether a person did this already, whatever link it was. */
const hasDone = (state: ReportState, event: LifecycleEvent): boolean =>
  [...state.engaged].some((key) => key.startsWith(`person ${event} `));
