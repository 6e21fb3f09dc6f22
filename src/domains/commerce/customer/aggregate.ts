import type { Aggregate } from '../../../platform/event-log/aggregate.js';
import { type CustomerCommand, decide } from './decide.js';
import { type CustomerEvent, readCustomerEvent } from './events.js';
import { type CustomerState, customerSnapshot, evolve, unknownCustomer } from './state.js';

/** Customers, in streams `Customer-<customer id>`. */
export const customerAggregate: Aggregate<CustomerState, CustomerCommand, CustomerEvent> = {
  initial: unknownCustomer,
  decide,
  evolve,
  read: readCustomerEvent,
  snapshot: customerSnapshot,
};
