import { accountEventTypes } from './account/events.js';
import { customerEventTypes } from './customer/events.js';
import { notificationRequested } from './messages.js';
import { orderEventTypes } from './order/events.js';
import { productEventTypes } from './product/events.js';
import { transferEventTypes } from './transfer/events.js';

/** Every type of event that commerce appends to the log. */
export const commerceEventTypes: readonly string[] = [
  ...accountEventTypes,
  ...customerEventTypes,
  ...orderEventTypes,
  ...productEventTypes,
  ...transferEventTypes,
  notificationRequested,
];
