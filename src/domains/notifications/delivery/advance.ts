import { namesSameMessage } from '../providers/message-ids.js';
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
  /** To be read again once the answer of the call that is on its way is recorded. */
  readonly deferred: readonly DeliveryReport[];
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
    deferred: [],
    unsubscribedAt: null,
    engaged: new Set(past.engagements.map(({ event, detail }) => keyOf(event, detail))),
  };
  const changed = reports.map((report) => {
    const before = story.events;
    story = read(story, report, { delivery, past, now });
    return story.events !== before;
  });
  const { status, events, target, failure, deferred, unsubscribedAt } = story;
  const transition = {
    ...stepOf({ deliveryId: delivery.deliveryId, attempt: delivery.attempt }, now),
    status,
    events,
    failure,
    lastError: failure?.error ?? null,
    targets: target ? [target] : [],
    keepsLease: true,
  };
  return {
    transition: events.length > 0 ? transition : null,
    changed,
    // Where the others moved it, nothing is left to be decided.
    deferred: status === delivery.status ? deferred : [],
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
      // Whoever is just calling the provider learns the same from its answer, and more, if one comes.
      return at.delivery.isLeased ? defer(story, report, at) : confirm(story, 'SENT', report, at);
    case 'delivered':
      return confirm(story, 'DELIVERED', report, at);
    case 'failed':
      if (rank >= RANK.DELIVERED!) return story;
      return isOfLastCall(story, report, at) ? fail(story, report, at) : defer(story, report, at);
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
  { status, target }: Story,
  { providerId }: DeliveryReport,
  { past }: Circumstances,
): boolean {
  if (past.calledAt === null) return true;
  if (status !== 'SENT') return false;
  const current = target?.providerId ?? past.providerId;
  return !current || !providerId || namesSameMessage(current, providerId);
}

/** Only the answer of a call that is on its way tells which message a report is about. */
function defer(story: Story, report: DeliveryReport, { delivery }: Circumstances): Story {
  const isOpen = delivery.isAwaitingAnswer && story.status === 'QUEUED';
  return isOpen ? { ...story, deferred: [...story.deferred, report] } : story;
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

function fail(story: Story, report: DeliveryReport, { delivery, past }: Circumstances): Story {
  const said = report.reason ?? 'the provider could not deliver it';
  const error = storable(withoutAddress(said, delivery.address), MAX_REASON);
  const { status, failure, events } = death(delivery, error);
  const detail = { target: delivery.channel, attempt: delivery.attempt, reason: error };
  const failed: TransitionEvent = { event: 'FAILED', status, detail };
  const target = { target: delivery.channel, error, providerId: providerIdOf(report, past) };
  return { ...story, status, failure, events: [...story.events, failed, ...events], target };
}
