import type { Caller } from '../../../platform/auth/caller.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { DeliveryReport, ReportOutcome } from '../delivery/report.js';
import type { Delivery } from '../lifecycle/delivery.js';
import { findDeliveries } from '../lifecycle/find.js';
import { isName, isUuid } from '../text.js';
import { type DeliveryStatus, rulesOfChannel } from '../types.js';

/** What a user did with a notification, as their app reports it. */
export interface Engagement {
  readonly deliveryId: string;
  readonly kind: 'opened' | 'clicked' | 'dismissed';
  /** The button, where a click was on one. */
  readonly actionId?: string | undefined;
}

const MAX_ACTION_ID = 100;
const REACHED: readonly DeliveryStatus[] = ['SENT', 'DELIVERED', 'OPENED', 'CLICKED', 'DISMISSED'];

/**
 * Records what the app reports of a delivery of the caller's own. A repeat changes nothing and is no fault.
 *
 * Refused with ACTION_ID_INVALID, DELIVERY_NOT_FOUND (also where it is another's), ENGAGEMENT_NOT_FOR_CHANNEL or
 * DELIVERY_NOT_SENT.
 *
 * @returns the delivery as it is now
 */
export async function engage(
  deps: {
    readonly postgres: Queryable;
    readonly record: (report: DeliveryReport) => Promise<ReportOutcome>;
  },
  caller: Caller,
  engagement: Engagement,
): Promise<Result<Delivery>> {
  const { deliveryId, kind, actionId } = engagement;
  if (actionId !== undefined && (kind !== 'clicked' || !isName(actionId, MAX_ACTION_ID))) {
    const message = `actionId has 1 to ${MAX_ACTION_ID} printable characters, and belongs to a click`;
    return refused('ACTION_ID_INVALID', message, ['input', 'actionId']);
  }
  const at = ['input', 'deliveryId'];
  const delivery = await find(deps.postgres, deliveryId);
  if (delivery?.userId !== caller.viewer.userId) {
    return refused('DELIVERY_NOT_FOUND', 'You have no such delivery', at);
  }
  if (!rulesOfChannel(delivery.channel).isReportedByApp) {
    const message = `What becomes of ${delivery.channel} is known by its links and its provider`;
    return refused('ENGAGEMENT_NOT_FOR_CHANNEL', message, at);
  }
  const outcome = await deps.record({
    deliveryId,
    kind,
    ...(actionId !== undefined && { detail: { action_id: actionId } }),
  });
  const now = outcome === 'unknown' ? null : await find(deps.postgres, deliveryId);
  if (!now || !REACHED.includes(now.status)) {
    return refused('DELIVERY_NOT_SENT', 'Nothing of this delivery has reached anybody', at);
  }
  return ok(now);
}

async function find(postgres: Queryable, deliveryId: string): Promise<Delivery | null> {
  if (!isUuid(deliveryId)) return null;
  const [delivery] = await findDeliveries(postgres, [deliveryId]);
  return delivery ?? null;
}
