import { Arg, Args, Ctx, Directive, Extensions, Mutation, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import type { Wait } from '../domains/commerce/index.js';
import { type Caller, callerOf } from '../platform/caller.js';
import {
  Customer,
  CustomerArgs,
  CustomerConnection,
  RecordPaymentInput,
  RecordPaymentPayload,
  RegisterCustomerInput,
  RegisterCustomerPayload,
  SetCustomerStatusInput,
  SetCustomerStatusPayload,
  toCustomer,
} from '../schema/commerce-customers.js';
import { PagingArgs } from '../schema/relay.js';
import { showChanged } from './changed-object.js';
import {
  momentOf,
  pointsOfPast,
  showPage,
  toCommandPayload,
  waitFor,
  waitForPosition,
} from './commerce-command.js';

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

  @Mutation(() => RegisterCustomerPayload, { description: 'Makes a user a customer, who can place orders.' })
  async registerCustomer(@Arg('input') input: RegisterCustomerInput, @Ctx() context: RequestContext) {
    return toCommandPayload(await context.app.commerce.registerCustomer(callerOf(context), input));
  }

  @Mutation(() => SetCustomerStatusPayload, {
    description: 'Admin: changes whether a customer may order, or their credit limit.',
  })
  async setCustomerStatus(@Arg('input') input: SetCustomerStatusInput, @Ctx() context: RequestContext) {
    return toCommandPayload(await context.app.commerce.setCustomerStatus(callerOf(context), input));
  }

  @Mutation(() => RecordPaymentPayload, { description: 'Admin: lowers what a customer owes.' })
  async recordPayment(@Arg('input') input: RecordPaymentInput, @Ctx() context: RequestContext) {
    return toCommandPayload(await context.app.commerce.recordPayment(callerOf(context), input));
  }
}

const changedCustomer = {
  field: 'customer',
  type: Customer,
  read: ({ app }: RequestContext, caller: Caller, id: string, wait: Wait | undefined) =>
    app.commerce.customer(caller, id, wait),
  show: toCustomer,
};

export const customerResolvers = [
  CustomerResolver,
  showChanged(RegisterCustomerPayload, changedCustomer),
  showChanged(SetCustomerStatusPayload, changedCustomer),
  showChanged(RecordPaymentPayload, changedCustomer),
] as const;
