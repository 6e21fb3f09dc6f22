import { type DemoEvent, makeHistory } from '../../src/demo/history.js';
import { makeDemo } from '../../src/demo/make.js';
import { accountEventTypes, readAccountEvent } from '../../src/domains/commerce/account/events.js';
import { customerEventTypes, readCustomerEvent } from '../../src/domains/commerce/customer/events.js';
import { upcasters } from '../../src/domains/commerce/index.js';
import { orderEventTypes, readOrderEvent } from '../../src/domains/commerce/order/events.js';
import { productEventTypes, readProductEvent } from '../../src/domains/commerce/product/events.js';
import { readTransferEvent, transferEventTypes } from '../../src/domains/commerce/transfer/events.js';

export const NOW = Date.parse('2026-03-10T12:34:56.789Z');
export const DAY = 86_400_000;
export const demo = makeDemo(NOW);
export const history = makeHistory(demo);

const readers = [
  [accountEventTypes, readAccountEvent],
  [customerEventTypes, readCustomerEvent],
  [orderEventTypes, readOrderEvent],
  [productEventTypes, readProductEvent],
  [transferEventTypes, readTransferEvent],
] as const;

/** An event as the log would hand it to a domain of commerce; undefined for one of another domain. */
export function read(event: DemoEvent) {
  const data = upcasters[event.type]?.(event.data, event) ?? event.data;
  const reader = readers.find(([types]) => types.has(event.type))?.[1];
  return reader?.({ type: event.type, data });
}
type Read = NonNullable<ReturnType<typeof read>>;
export type Of<Type extends string> = Extract<Read, { type: Type }>['data'];

/** The events of commerce, each with what it says. */
export const events = history.flatMap((event) => {
  const fact = read(event);
  return fact ? [{ ...event, fact }] : [];
});

export const all = <Type extends Read['type']>(type: Type) =>
  events.filter(({ fact }) => fact.type === type).map(({ fact }) => fact.data as Of<Type>);

export const cents = (amount: string): number => Math.round(Number(amount) * 100);
