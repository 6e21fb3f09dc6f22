import { Counter, type Registry } from 'prom-client';
import { type Channel, channels } from '../types.js';

/** Which limit refused: a user's of the channel or of the type, or the channel's global one. */
const KINDS = ['channel', 'type', 'global'] as const;
type Kind = (typeof KINDS)[number];

/** Counts what limits refused or deferred (notification document, Events). */
export interface Refusals {
  count(kind: Kind, channel: Channel): void;
}

/** The document names the label `user_type`, and its values nowhere. */
export function createRefusals(registry: Registry): Refusals {
  const refusals = new Counter({
    name: 'notification_rate_limited_total',
    help: 'Deliveries that a limit of their user refused (channel, type), and calls that a global one held back',
    labelNames: ['user_type', 'channel'],
    registers: [registry],
  });
  // A rate needs a point before the first refusal.
  for (const user_type of KINDS) for (const channel of channels) refusals.inc({ user_type, channel }, 0);
  return { count: (user_type, channel) => refusals.inc({ user_type, channel }) };
}
