import { type Caller, mayActFor } from '../../../platform/auth/caller.js';
import type { RowOf } from '../../../platform/postgres/postgres.js';
import type { RenderedContent } from '../providers/provider.js';
import type { sql as statements } from './find.sql.js';

type DeliveryRow = RowOf<typeof statements.deliveriesById>;

/** One notification on its way to one user on one channel. */
export interface Delivery extends Omit<DeliveryRow, 'content'> {
  /** Null where it was left out before its text was made. */
  readonly content: RenderedContent | null;
}

/** What became of a delivery at one of its addresses. */
export type DeliveryTarget = Omit<RowOf<typeof statements.targets>, 'deliveryId'>;

/** One event of a delivery's lifecycle. */
export type TimelineEntry = Omit<RowOf<typeof statements.timelines>, 'deliveryId'>;

export const toDelivery = (row: DeliveryRow): Delivery => ({
  ...row,
  content: 'body' in row.content ? (row.content as RenderedContent) : null,
});

/** Types whose text proves that somebody has the phone or mailbox that it went to. */
const PROOFS: readonly string[] = ['VERIFICATION_CODE', 'PASSWORD_RESET'];

/** Whether its text proves that somebody has the address that it went to. */
export const hasProof = ({ notificationType }: Pick<Delivery, 'notificationType'>): boolean =>
  PROOFS.includes(notificationType);

/** A delivery's text, as far as somebody may read it here: what proves an address is read at that address alone. */
export const contentFor = (caller: Caller, delivery: Delivery): RenderedContent | null =>
  hasProof(delivery) && !mayActFor(caller, delivery.producer) ? null : delivery.content;

/** The recipient, the producer of the request and admins see a delivery; for everybody else there is none. */
export const maySee = (caller: Caller, delivery: Pick<Delivery, 'userId' | 'producer'>): boolean =>
  mayActFor(caller, delivery.userId) || mayActFor(caller, delivery.producer);
