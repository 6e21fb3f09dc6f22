import { z } from 'zod';
import {
  type Channel,
  channels,
  type Detail,
  type LifecycleEvent,
  lifecycleEvents,
  type Priority,
  priorities,
} from '../types.js';

/** What happened to one delivery at one instant. */
export interface DeliverySteps {
  readonly deliveryId: string;
  readonly requestId: string;
  readonly channel: Channel;
  readonly priority: Priority;
  readonly notificationType: string;
  /** The one that the request named. */
  readonly templateId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Milliseconds since it was accepted, or since the time that its request was scheduled for; 0 before that. */
  readonly latencyMs: number;
  /** In their order. */
  readonly events: readonly LifecycleEvent[];
  /** Opens and clicks that no person made, as far as is known; they are not among `events`. */
  readonly suspected: readonly LifecycleEvent[];
}

/** Separates what persons and our own machines did from what others' machines are suspected of. */
export function sortEvents(
  all: readonly { readonly event: LifecycleEvent; readonly detail?: Detail }[],
): Pick<DeliverySteps, 'events' | 'suspected'> {
  const events: LifecycleEvent[] = [];
  const suspected: LifecycleEvent[] = [];
  for (const { event, detail } of all) (detail?.suspected_bot === true ? suspected : events).push(event);
  return { events, suspected };
}

const event = z.enum(lifecycleEvents);

/** As short as JSON allows: thousands of these pass through Redis in a second. */
const packed = z.tuple([
  z.string(),
  z.string(),
  z.enum(channels),
  z.enum(priorities),
  z.string(),
  z.string(),
  z.int(),
  z.int(),
  z.array(event),
  z.array(event),
]);
const packedSteps = z.array(packed);

/** How steps travel in Redis. */
export function packSteps(all: readonly DeliverySteps[]): string {
  return JSON.stringify(
    all.map(
      (one): z.infer<typeof packed> => [
        one.deliveryId,
        one.requestId,
        one.channel,
        one.priority,
        one.notificationType,
        one.templateId,
        one.at,
        one.latencyMs,
        [...one.events],
        [...one.suspected],
      ],
    ),
  );
}

/** @throws ZodError or SyntaxError for what `packSteps` did not write */
export function unpackSteps(text: string): readonly DeliverySteps[] {
  return packedSteps.parse(JSON.parse(text)).map((one) => ({
    deliveryId: one[0],
    requestId: one[1],
    channel: one[2],
    priority: one[3],
    notificationType: one[4],
    templateId: one[5],
    at: one[6],
    latencyMs: one[7],
    events: one[8],
    suspected: one[9],
  }));
}
