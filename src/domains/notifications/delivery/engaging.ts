import { storable } from '../text.js';
import { type DeliveryStatus, type Detail, type LifecycleEvent, rulesOf } from '../types.js';
import { type Circumstances, type DeliveryReport, RANK, reached, type Story, stepsTo } from './story.js';
import type { TransitionEvent } from './transition.js';

/** No person reads a mail this soon after it was sent; scanners do. */
const EARLY_MS = 2_000;
/** Opens and clicks kept of a delivery, besides a person's first, so that nobody can fill the table. */
const MAX_ENGAGEMENTS = 50;
const MAX_TEXT = 2_000;
const MAX_USER_AGENT = 200;

/** What a person did proves that the delivery arrived; what a machine did is recorded and moves nothing. */
export function engage(
  story: Story,
  event: 'OPENED' | 'CLICKED' | 'DISMISSED',
  report: DeliveryReport,
  at: Circumstances,
): Story {
  const isBot = report.suspectedBot || (report.isFetch && isEarly(at));
  const detail = { ...kept(report.detail), ...(isBot && { suspected_bot: true }) };
  const key = keyOf(event, detail);
  if (story.engaged.has(key) || isUncalled(story, at)) return story;
  const isFirst = !isBot && !hasDone(story, event);
  const isWaiting = RANK[story.status] === 0;
  if (!isFirst && (isWaiting || story.engaged.size >= MAX_ENGAGEMENTS)) return story;
  const steps = isBot ? [] : stepsTo('DELIVERED', story.status);
  const status = isBot ? story.status : later(story.status, event);
  return {
    ...story,
    status,
    events: [...story.events, ...steps, withDetail(event, status, detail)],
    target: isWaiting ? reached(story, report, at) : story.target,
    engaged: new Set([...story.engaged, key]),
  };
}

/** Whoever unsubscribes has got the mail. Exempt types go on: nobody is to be locked out by a slip. */
export function unsubscribe(story: Story, report: DeliveryReport, at: Circumstances): Story {
  const { exempt } = rulesOf(at.delivery.notificationType);
  // Nobody chooses in the future, whatever a provider's clock says.
  const wanted = new Date(report.at && report.at.getTime() < at.now ? report.at : at.now);
  const unsubscribedAt = exempt ? null : latest(story.unsubscribedAt, wanted);
  const key = keyOf('UNSUBSCRIBED', null);
  if (story.engaged.has(key)) return { ...story, unsubscribedAt };
  const steps = RANK[story.status] === undefined ? [] : stepsTo('DELIVERED', story.status);
  const status = steps.at(-1)?.status ?? story.status;
  const detail = { ...kept(report.detail), ...(exempt && { preference: 'unchanged' }) };
  return {
    ...story,
    status,
    events: [...story.events, ...steps, withDetail('UNSUBSCRIBED', status, detail)],
    target: RANK[story.status] === 0 ? reached(story, report, at) : story.target,
    engaged: new Set([...story.engaged, key]),
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
const isUncalled = (story: Story, { delivery, past }: Circumstances): boolean =>
  RANK[story.status] === 0 && !delivery.isLeased && past.calledAt === null;

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
const hasDone = (story: Story, event: LifecycleEvent): boolean =>
  [...story.engaged].some((key) => key.startsWith(`person ${event} `));
