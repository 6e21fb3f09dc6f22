import type { AddressFault } from '../providers/provider.js';
import { type Channel, rulesOfChannel } from '../types.js';

/** What was learned of an address, by a provider's answer or report. The SQL function apply_address_events reads these. */
export interface AddressEvent {
  readonly channel: Channel;
  readonly address: string;
  /** What is wrong with it; DELIVERED: it took a message. */
  readonly kind: AddressFault | 'DELIVERED';
  /** The delivery that was answered or reported. */
  readonly deliveryId: string;
  /** When it happened, as far as that is known. */
  readonly at: Date;
}

/** Whether a channel sends to addresses that can be suppressed. Devices' tokens are removed once they are dead; an inbox never is. */
export function hasSuppressions(channel: Channel): boolean {
  const { address } = rulesOfChannel(channel);
  return address === 'email' || address === 'phone';
}
