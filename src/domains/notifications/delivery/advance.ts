import { storable, withoutAddress } from '../text.js';
import type { LifecycleEvent } from '../types.js';
import { engage, keyOf, unsubscribe } from './engaging.js';
import { death, MAX_REASON } from './outcome.js';
import {
  type Circumstances,
  type DeliveryReport,
  type LockedDelivery,
  type Past,
  providerIdOf,
  RANK,
  reached,
  type Story,
  stepsTo,
} from './story.js';
import { stepOf, type Transition, type TransitionEvent } from './transition.js';

/** What reports mean for a delivery. */
export interface Advance {
  /** Null where they change nothing of it. */
  readonly transition: Transition | null;
  /** Whether each report changed anything, in order. */
  readonly changed: readonly boolean[];
  readonly engagements: readonly TransitionEvent[];
  /** When its user unsubscribed from its type on its channel; null where that stays as it is. */
  readonly unsubscribedAt: Date | null;
}

const ENGAGEMENTS: ReadonlySet<LifecycleEvent> = new Set(['OPENED', 'CLICKED', 'DISMISSED', 'UNSUBSCRIBED']);

/** The steps that reports mean for a delivery, in their order. One that lies behind, or is repeated, means none. */
export function advance(
  delivery: LockedDelivery,
  past: Past,
  reports: readonly DeliveryReport[],
  now: number,
): Advance {
  let story: Story = {
    status: delivery.status,
    events: [],
    target: null,
    failure: null,
    unsubscribedAt: null,
    engaged: new Set(past.engagements.map(({ event, detail }) => keyOf(event, detail))),
  };
  const changed = reports.map((report) => {
    const before = story.events;
    story = read(story, report, { delivery, past, now });
    return story.events !== before;
  });
  const { status, events, target, failure, unsubscribedAt } = story;
  const transition = {
    ...stepOf({ deliveryId: delivery.deliveryId, attempt: delivery.attempt }, now),
    status,
    events,
    failure,
    lastError: failure?.error ?? null,
    targets: target ? [target] : [],
  };
  return {
    transition: events.length > 0 ? transition : null,
    changed,
    engagements: events.filter(({ event }) => ENGAGEMENTS.has(event)),
    unsubscribedAt,
  };
}

function read(story: Story, report: DeliveryReport, at: Circumstances): Story {
  const rank = RANK[story.status];
  if (report.kind === 'unsubscribed') return unsubscribe(story, report, at);
  if (rank === undefined) return story;
  switch (report.kind) {
    case 'sent':
      // Whoever is just calling the provider learns the same from its answer, and more.
      return at.delivery.isLeased ? story : confirm(story, 'SENT', report, at);
    case 'delivered':
      return confirm(story, 'DELIVERED', report, at);
    case 'failed':
      return rank < RANK.DELIVERED! && isOfLastCall(story, report, at) ? fail(story, report, at) : story;
    case 'dismissed':
      return rank <= RANK.DELIVERED! ? engage(story, 'DISMISSED', report, at) : story;
    case 'opened':
      return engage(story, 'OPENED', report, at);
    case 'clicked':
      return engage(story, 'CLICKED', report, at);
  }
}

/**
 * Whether a failure is that of the message that its provider has now: an earlier one's may come late, or be repeated, while
 * another is on its way, and must not end that. It may come before the first call's own answer is recorded.
 */
function isOfLastCall(
  { status }: Story,
  { providerId }: DeliveryReport,
  { delivery, past }: Circumstances,
): boolean {
  if (past.calledAt === null) return true;
  if (status !== 'SENT') return false;
  return delivery.providerId === null || providerId === undefined || delivery.providerId === providerId;
}

/** The provider has it, or confirms delivery. */
function confirm(
  story: Story,
  status: 'SENT' | 'DELIVERED',
  report: DeliveryReport,
  at: Circumstances,
): Story {
  const steps = stepsTo(status, story.status);
  if (steps.length === 0) return story;
  return { ...story, status, events: [...story.events, ...steps], target: reached(story, report, at) };
}

function fail(story: Story, report: DeliveryReport, { delivery }: Circumstances): Story {
  const said = report.reason ?? 'the provider could not deliver it';
  const error = storable(withoutAddress(said, delivery.address), MAX_REASON);
  const { status, failure, events } = death(delivery, error);
  const detail = { target: delivery.channel, attempt: delivery.attempt, reason: error };
  const failed: TransitionEvent = { event: 'FAILED', status, detail };
  const target = { target: delivery.channel, error, providerId: providerIdOf(report) };
  return { ...story, status, failure, events: [...story.events, failed, ...events], target };
}
