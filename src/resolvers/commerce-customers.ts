import { Args, Ctx, Directive, Extensions, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { callerOf } from '../platform/auth/caller.js';
import {
  Customer,
  CustomerArgs,
  CustomerConnection,
  RecordPaymentInput,
  RegisterCustomerInput,
  SetCustomerStatusInput,
  toCustomer,
} from '../schema/commerce-customers.js';
import { PagingArgs } from '../schema/relay.js';
import { momentOf, pointsOfPast, showPage, waitFor, waitForPosition } from './commerce-command.js';
import { commandOf, objectOf } from './commerce-mutation.js';

@Resolver()
export class CustomerResolver {
  @Directive('@rateLimit(limit: 600, duration: 60)')
  @Extensions(pointsOfPast)
  @Query(() => Customer, {
    nullable: true,
    description: 'A customer, for the user whom they belong to and admins. Null where there is none.',
  })
  async customer(@Args() args: CustomerArgs, @Ctx() context: RequestContext): Promise<Customer | null> {
    const { customerId, afterVersion, afterPosition } = args;
    const { commerce, clock } = context.app;
    const asOf = momentOf(args);
    const caller = callerOf(context);
    const customer = asOf
      ? await commerce.customerAsOf(caller, customerId, asOf, {
          hub: context.hub,
          clock,
          signal: context.signal,
        })
      : await commerce.customer(
          caller,
          customerId,
          waitFor(afterVersion, context),
          waitForPosition(afterPosition, context),
        );
    return customer && toCustomer(customer);
  }

  @Query(() => CustomerConnection, {
    nullable: true,
    description: 'The customers that belong to the caller; for admins all of them.',
  })
  async customers(@Args() paging: PagingArgs, @Ctx() context: RequestContext) {
    return showPage(await context.app.commerce.customers(callerOf(context), paging), toCustomer);
  }
}

export const customer = objectOf('customer', Customer, (commerce) => commerce.customer, toCustomer);

export const customerResolvers = [
  CustomerResolver,
  ...commandOf({
    name: 'registerCustomer',
    input: RegisterCustomerInput,
    run: ({ registerCustomer }) => registerCustomer,
    changes: customer,
    description: 'Makes a user a customer, who can place orders.',
  }),
  ...commandOf({
    name: 'setCustomerStatus',
    input: SetCustomerStatusInput,
    run: ({ setCustomerStatus }) => setCustomerStatus,
    changes: customer,
    description: 'Admin: changes whether a customer may order, or their credit limit.',
  }),
  ...commandOf({
    name: 'recordPayment',
    input: RecordPaymentInput,
    run: ({ recordPayment }) => recordPayment,
    changes: customer,
    description: 'Admin: lowers what a customer owes.',
  }),
] as const;
