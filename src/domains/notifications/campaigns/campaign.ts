import type { RowOf } from '../../../platform/postgres/postgres.js';
import type { sql as statements } from './campaigns.sql.js';

/** A campaign and how far it has come: `matched` users were stored, `queued` of them to be sent to, the others `suppressed`. */
export type Campaign = RowOf<typeof statements.byIds>;

/**
 * - SCHEDULED: accepted, and begins at its time
 * - PENDING: accepted, and taken up within a second
 * - RUNNING: users are stored at its pace
 * - PAUSED: nothing more is stored until it is resumed
 * - COMPLETED: everybody who matches is stored; the last of them may still wait to be sent
 * - CANCELLED: nothing more is stored, and what was not sent is withdrawn
 * - FAILED: it cannot go on, since its filter or its template does not hold any more
 */
export const campaignStatuses = [
  'SCHEDULED',
  'PENDING',
  'RUNNING',
  'PAUSED',
  'COMPLETED',
  'CANCELLED',
  'FAILED',
] as const;
export type CampaignStatus = (typeof campaignStatuses)[number];

export const campaignActions = ['PAUSE', 'RESUME', 'CANCEL'] as const;
export type CampaignAction = (typeof campaignActions)[number];

/**
 * The status that an action leads to: the same one where it is done already; null where the campaign is over.
 *
 * @param progress.hasStarted whether users of it may have been stored
 * @param progress.isAhead whether its time is still to come
 */
export function statusAfter(
  action: CampaignAction,
  status: CampaignStatus,
  { hasStarted, isAhead }: { readonly hasStarted: boolean; readonly isAhead: boolean },
): CampaignStatus | null {
  if (status === 'COMPLETED' || status === 'FAILED') return null;
  if (status === 'CANCELLED') return action === 'CANCEL' ? status : null;
  switch (action) {
    case 'PAUSE':
      return 'PAUSED';
    case 'CANCEL':
      return 'CANCELLED';
    case 'RESUME':
      if (status !== 'PAUSED') return status;
      return hasStarted ? 'RUNNING' : isAhead ? 'SCHEDULED' : 'PENDING';
    default:
      return action satisfies never;
  }
}
