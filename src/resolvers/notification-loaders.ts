import DataLoader from 'dataloader';
import type { RequestContext } from '../context.js';
import type { TimelineEntry } from '../domains/notifications/lifecycle/delivery.js';

const timelines = new WeakMap<RequestContext, DataLoader<string, readonly TimelineEntry[]>>();

/** One operation's timelines: those of a whole page are one query. */
export function timelinesOf(context: RequestContext): DataLoader<string, readonly TimelineEntry[]> {
  const known = timelines.get(context);
  if (known) return known;
  const loader = new DataLoader<string, readonly TimelineEntry[]>(async (deliveryIds) => {
    const found = await context.app.notifications.timelines(deliveryIds);
    return deliveryIds.map((deliveryId) => found.get(deliveryId) ?? []);
  });
  timelines.set(context, loader);
  return loader;
}
