import type { Outbox } from '../../platform/outbox/index.js';
import type { Projector } from '../../platform/projector/projector.js';
import type { WakeUpPublisher } from '../../platform/wake-ups/wake-ups.js';
import { accountSummary } from './account-summary.js';
import { customers } from './customers.js';
import { orderMessages } from './order-messages.js';
import { orders } from './orders.js';
import { products } from './products.js';
import { transferProcess } from './transfer-process.js';
import { transfers } from './transfers.js';

/** What queries read; each can be rebuilt. Queries that wait for a change are woken after it. */
export const createCommerceReadModels = ({ wakeUps }: { wakeUps: WakeUpPublisher }): Projector[] => [
  accountSummary(wakeUps),
  orders(wakeUps),
  customers(wakeUps),
  products(wakeUps),
  transfers(wakeUps),
];

/** What follows from what happened, as jobs. */
export const createCommerceProcesses = ({ outbox }: { outbox: Outbox }): Projector[] => [
  transferProcess(outbox),
  orderMessages(outbox),
];
