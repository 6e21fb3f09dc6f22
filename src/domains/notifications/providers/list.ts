import { type Channel, channels, kindsOf } from '../types.js';
import { apns } from './apns/index.js';
import type { ProviderDeclaration } from './declare.js';
import { fcm } from './fcm/index.js';
import { sendgrid } from './sendgrid/index.js';
import { smtp } from './smtp/index.js';
import { twilio } from './twilio/index.js';
import { webPush } from './web-push/index.js';

/**
 * Every provider. Of several for one kind of address the first that is configured is used, unless
 * `<KIND>_PROVIDER` names another, or `<KIND>_PROVIDERS` several.
 */
export const byKey = { apns, fcm, webPush, sendgrid, smtp, twilio };
export type ProviderKey = keyof typeof byKey;

export interface ListedProvider extends ProviderDeclaration {
  readonly key: ProviderKey;
  readonly channel: Channel;
}

export const providers: readonly ListedProvider[] = Object.entries<ProviderDeclaration>(byKey).map(
  ([key, declaration]) => ({
    ...declaration,
    key: key as ProviderKey,
    channel: channels.find((channel) => kindsOf(channel).includes(declaration.sendsTo))!,
  }),
);
