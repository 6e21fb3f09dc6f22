import { registerEnumType } from 'type-graphql';
import {
  deliveryStatuses,
  lifecycleEvents,
  requestStatuses,
  suppressionReasons,
} from '../domains/notifications/index.js';

/** The domain's words under the API's names. */
export const Channel = { PUSH: 'push', SMS: 'sms', EMAIL: 'email' } as const;
export const Priority = { HIGH: 'high', MEDIUM: 'medium', LOW: 'low' } as const;
export const Platform = { IOS: 'ios', ANDROID: 'android' } as const;
export const DeliveryStatus = sameNames(deliveryStatuses);
export const LifecycleEvent = sameNames(lifecycleEvents);
export const SuppressionReason = sameNames(suppressionReasons);
export const RequestStatus = sameNames(requestStatuses);

registerEnumType(Channel, { name: 'Channel' });
registerEnumType(Priority, { name: 'Priority' });
registerEnumType(Platform, { name: 'Platform' });
registerEnumType(DeliveryStatus, { name: 'DeliveryStatus' });
registerEnumType(LifecycleEvent, {
  name: 'LifecycleEvent',
  description: 'The steps of a delivery; SUPPRESSED says that none was made.',
});
registerEnumType(SuppressionReason, {
  name: 'SuppressionReason',
  description: 'Why a delivery was not made.',
});
registerEnumType(RequestStatus, { name: 'RequestStatus' });

function sameNames<Name extends string>(names: readonly Name[]): { readonly [Key in Name]: Key } {
  return Object.fromEntries(names.map((name) => [name, name])) as { readonly [Key in Name]: Key };
}
