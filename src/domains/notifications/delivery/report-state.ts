import type { RowOf } from '../../../platform/postgres/postgres.js';
import { namesSameMessage } from '../providers/message-ids.js';
import type { AddressFault } from '../providers/provider.js';
import type { AddressEvent } from '../suppressions/address-event.js';
import { storable } from '../text.js';
import { type DeliveryStatus, type Detail, goesToDevices } from '../types.js';
import { MAX_PROVIDER_ID } from './outcome.js';
import type { sql as statements } from './report.sql.js';
import type { FinishedTarget, Transition, TransitionEvent } from './transition.js';

/** What is reported of a delivery later: by its provider, by the links in its mail, or by the app that shows it. */
export interface DeliveryReport {
  readonly deliveryId: string;
  /**
   * - `sent`: the provider has it, whatever we know of the call
   * - `unsubscribed`: its user wants no more of its type on its channel
   */
  readonly kind: 'sent' | 'delivered' | 'opened' | 'clicked' | 'dismissed' | 'unsubscribed' | 'failed';
  readonly providerId?: string | undefined;
  /** Why it failed. */
  readonly reason?: string | undefined;
  /** The open or click was probably not made by a person. */
  readonly suspectedBot?: boolean | undefined;
  /** It is known by a link or a pixel that was fetched: what is fetched at once was fetched by no person. */
  readonly isFetch?: boolean | undefined;
  /** For the timeline. Clicks on another `url`, or with another `action_id`, are other clicks. */
  readonly detail?: Detail | undefined;
  /** When the user unsubscribed, or the address bounced, as the provider has it; now unless given. */
  readonly at?: Date | undefined;
  /** What it says of the address that the message went to. */
  readonly addressFault?: AddressFault | undefined;
  /** That address, as the provider names it; the delivery's unless given. */
  readonly address?: string | undefined;
}

/** A delivery whose row is held. */
export interface LockedDelivery extends RowOf<typeof statements.lockDeliveries> {
  /** A worker is just calling a provider for it. */
  readonly isLeased: boolean;
  /** The answer of the last call is not recorded yet: a worker is at it, or was killed over it. */
  readonly isAwaitingAnswer: boolean;
}

/** What was recorded of a delivery before. */
export type Past = Omit<RowOf<typeof statements.pastOf>, 'deliveryId'>;

/** A delivery as far as its reports have been read. */
export interface ReportState {
  readonly status: DeliveryStatus;
  readonly events: readonly TransitionEvent[];
  readonly target: FinishedTarget | null;
  readonly failure: Transition['failure'];
  /** Whose meaning depends on the answer of the call that is on its way. */
  readonly deferred: readonly DeliveryReport[];
  readonly unsubscribedAt: Date | null;
  readonly addressEvents: readonly AddressEvent[];
  /** Keys of the engagements so far; see `keyOf`. */
  readonly engaged: ReadonlySet<string>;
}

/** In which a report is read. */
export interface Circumstances {
  readonly delivery: LockedDelivery;
  readonly past: Past;
  readonly now: number;
}

/** Statuses only move forward. Those without a rank are ends, or lie before sending: nothing moves them from here. */
export const RANK: Partial<Record<DeliveryStatus, number>> = {
  QUEUED: 0,
  RETRYING: 0,
  SENT: 1,
  DELIVERED: 2,
  OPENED: 3,
  CLICKED: 4,
  DISMISSED: 5,
};

/** What lies between a status and another one; nothing where that is behind. */
export function stepsTo(status: 'SENT' | 'DELIVERED', from: DeliveryStatus): TransitionEvent[] {
  const path = status === 'SENT' ? (['SENT'] as const) : (['SENT', 'DELIVERED'] as const);
  return path.filter((one) => RANK[one]! > RANK[from]!).map((one) => ({ event: one, status: one }));
}

/** Devices are known by their ids, and a report does not name one. */
export const reached = (
  state: ReportState,
  report: DeliveryReport,
  { delivery, past }: Circumstances,
): FinishedTarget | null =>
  goesToDevices(delivery.channel)
    ? state.target
    : { target: delivery.channel, error: null, providerId: providerIdOf(report, past) };

/** The id to keep of the message that a report names: as its provider answered it, where that is known. */
export function providerIdOf(
  { providerId = '' }: DeliveryReport,
  { providerId: known }: Pick<Past, 'providerId'>,
): string | null {
  if (known && (!providerId || namesSameMessage(known, providerId))) return known;
  return storable(providerId, MAX_PROVIDER_ID) || null;
}
