import { Webhook as Signer } from 'standardwebhooks';

/** An event as it waits for a webhook. */
export interface WaitingEvent {
  readonly deliveryId: string;
  readonly eventType: string;
  readonly data: unknown;
  readonly happenedAt: Date;
}

/** The body of an event's request: the same text at every attempt. */
export const bodyOf = ({ eventType, data, happenedAt }: WaitingEvent): string =>
  JSON.stringify({ type: eventType, timestamp: happenedAt.toISOString(), data });

/**
 * The headers of an event's request, as Standard Webhooks has them: `webhook-id` is the same at every attempt, the time is that of this
 * one, and there is a signature by each secret.
 */
export function headersOf(
  { deliveryId }: Pick<WaitingEvent, 'deliveryId'>,
  body: string,
  secrets: readonly string[],
  at: Date,
): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    'webhook-id': deliveryId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Signer(secret).sign(deliveryId, at, body)).join(' '),
  };
}
