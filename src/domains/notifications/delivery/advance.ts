import { namesSameMessage } from '../providers/message-ids.js';
import { type AddressEvent, hasSuppressions } from '../suppressions/address-event.js';
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
  type ReportState,
  reached,
  stepsTo,
} from './report-state.js';
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
  /** What was learned of its address, though nothing of the delivery may change; a transition has the same. */
  readonly addressEvents: readonly AddressEvent[];
}

const ENGAGEMENTS: ReadonlySet<LifecycleEvent> = new Set(['OPENED', 'CLICKED', 'DISMISSED', 'UNSUBSCRIBED']);

/** The steps that reports mean for a delivery, in their order. One that lies behind, or is repeated, means none. */
export function advance(
  delivery: LockedDelivery,
  past: Past,
  reports: readonly DeliveryReport[],
  now: number,
): Advance {
  let state: ReportState = {
    status: delivery.status,
    events: [],
    target: null,
    failure: null,
    deferred: [],
    unsubscribedAt: null,
    addressEvents: [],
    engaged: new Set(past.engagements.map(({ event, detail }) => keyOf(event, detail))),
  };
  const changed = reports.map((report) => {
    const before = state;
    state = learn(read(state, report, { delivery, past, now }), before, report, { delivery, past, now });
    return state.events !== before.events;
  });
  const { status, events, target, failure, deferred, unsubscribedAt, addressEvents } = state;
  const transition = {
    ...stepOf({ deliveryId: delivery.deliveryId, attempt: delivery.attempt }, now),
    status,
    events,
    failure,
    lastError: failure?.error ?? null,
    targets: target ? [target] : [],
    ...(addressEvents.length > 0 && { addressEvents }),
    keepsLease: true,
  };
  return {
    transition: events.length > 0 ? transition : null,
    changed,
    // Where the others moved it, nothing is left to be decided.
    deferred: status === delivery.status ? deferred : [],
    engagements: events.filter(({ event }) => ENGAGEMENTS.has(event)),
    unsubscribedAt,
    addressEvents,
  };
}

/** Characters that the suppression list keeps of an address. */
const MAX_ADDRESS = 320;

/**
 * What a report says of its address: that it took a message, or what is wrong with it. A fault counts where the report moved the
 * delivery; or where the provider says when it was, since then a repeat is known by that: a mail may bounce after it was delivered.
 */
function learn(
  state: ReportState,
  before: ReportState,
  { addressFault, address: named, at: reportedAt }: DeliveryReport,
  { delivery, now }: Circumstances,
): ReportState {
  const { channel, deliveryId } = delivery;
  const address = named ?? delivery.address;
  if (!hasSuppressions(channel) || !address) return state;
  const added = state.events.slice(before.events.length);
  const moved = addressFault !== undefined && added.length > 0;
  const isDatable = addressFault !== undefined && addressFault !== 'SOFT_BOUNCE' && reportedAt !== undefined;
  const isDelivered = added.some(({ event }) => event === 'DELIVERED');
  const kind = moved || isDatable ? addressFault : isDelivered ? 'DELIVERED' : undefined;
  if (!kind) return state;
  const at = new Date(Math.min(reportedAt?.getTime() ?? now, now));
  const event: AddressEvent = { channel, address: storable(address, MAX_ADDRESS), kind, deliveryId, at };
  return { ...state, addressEvents: [...state.addressEvents, event] };
}

function read(state: ReportState, report: DeliveryReport, at: Circumstances): ReportState {
  const rank = RANK[state.status];
  if (report.kind === 'unsubscribed') return unsubscribe(state, report, at);
  if (rank === undefined) return state;
  switch (report.kind) {
    case 'sent':
      // The worker that is just calling the provider learns the same and more from its answer, if one comes.
      return at.delivery.isLeased ? defer(state, report, at) : confirm(state, 'SENT', report, at);
    case 'delivered':
      return confirm(state, 'DELIVERED', report, at);
    case 'failed':
      if (rank >= RANK.DELIVERED!) return state;
      return isOfLastCall(state, report, at) ? fail(state, report, at) : defer(state, report, at);
    case 'dismissed':
      return rank <= RANK.DELIVERED! ? engage(state, 'DISMISSED', report, at) : state;
    case 'opened':
      return engage(state, 'OPENED', report, at);
    case 'clicked':
      return engage(state, 'CLICKED', report, at);
  }
}

/**
 * Whether a failure is that of the message that its provider has now: an earlier one's may come late, or be repeated, while
 * another is on its way, and must not end that. It may come before the first call's own answer is recorded.
 */
function isOfLastCall(
  { status, target }: ReportState,
  { providerId }: DeliveryReport,
  { past }: Circumstances,
): boolean {
  if (past.calledAt === null) return true;
  if (status !== 'SENT') return false;
  const current = target?.providerId ?? past.providerId;
  return !current || !providerId || namesSameMessage(current, providerId);
}

/** Only the answer of a call that is on its way says which message a report is about. */
function defer(state: ReportState, report: DeliveryReport, { delivery }: Circumstances): ReportState {
  const isOpen = delivery.isAwaitingAnswer && state.status === 'QUEUED';
  return isOpen ? { ...state, deferred: [...state.deferred, report] } : state;
}

/** The provider has it, or confirms delivery. */
function confirm(
  state: ReportState,
  status: 'SENT' | 'DELIVERED',
  report: DeliveryReport,
  at: Circumstances,
): ReportState {
  const steps = stepsTo(status, state.status);
  if (steps.length === 0) return state;
  return { ...state, status, events: [...state.events, ...steps], target: reached(state, report, at) };
}

function fail(state: ReportState, report: DeliveryReport, { delivery, past }: Circumstances): ReportState {
  const said = report.reason ?? 'the provider could not deliver it';
  const error = storable(withoutAddress(said, delivery.address), MAX_REASON);
  const { status, failure, events } = death(delivery, error);
  const detail = { target: delivery.channel, attempt: delivery.attempt, reason: error };
  const failed: TransitionEvent = { event: 'FAILED', status, detail };
  const target = { target: delivery.channel, error, providerId: providerIdOf(report, past) };
  return { ...state, status, failure, events: [...state.events, failed, ...events], target };
}
