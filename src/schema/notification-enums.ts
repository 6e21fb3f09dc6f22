import { registerEnumType } from 'type-graphql';
import {
  deliveryStatuses,
  lifecycleEvents,
  requestStatuses,
  suppressionReasons,
} from '../domains/notifications/index.js';

/** The domain's words under the API's names. */
export const Channel = { PUSH: 'push', SMS: 'sms', EMAIL: 'email', IN_APP: 'in_app' } as const;
export const Priority = { HIGH: 'high', MEDIUM: 'medium', LOW: 'low' } as const;
export const DigestFrequency = { REALTIME: 'realtime', HOURLY: 'hourly', DAILY: 'daily' } as const;
export const Platform = { IOS: 'ios', ANDROID: 'android', WEB: 'web' } as const;
export const DeliveryStatus = sameNames(deliveryStatuses);
export const LifecycleEvent = sameNames(lifecycleEvents);
export const SuppressionReason = sameNames(suppressionReasons);
export const RequestStatus = sameNames(requestStatuses);

registerEnumType(Channel, { name: 'Channel' });
registerEnumType(Priority, { name: 'Priority' });
registerEnumType(Platform, { name: 'Platform' });
registerEnumType(DigestFrequency, { name: 'DigestFrequency' });
registerEnumType(DeliveryStatus, { name: 'DeliveryStatus' });
registerEnumType(LifecycleEvent, {
  name: 'LifecycleEvent',
  description: "The document's fifteen, and three that say why nothing was sent yet or at all.",
});
registerEnumType(SuppressionReason, {
  name: 'SuppressionReason',
  description: 'Why a delivery was not made.',
});
registerEnumType(RequestStatus, { name: 'RequestStatus' });

export function sameNames<Name extends string>(names: readonly Name[]): { readonly [Key in Name]: Key } {
  return Object.fromEntries(names.map((name) => [name, name])) as { readonly [Key in Name]: Key };
}
