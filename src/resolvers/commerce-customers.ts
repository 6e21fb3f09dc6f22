import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { callerOf } from '../platform/caller.js';
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
import { showPage, toCommandPayload, waitFor } from './commerce-command.js';

@Resolver()
export class CustomerResolver {
  @Query(() => Customer, { nullable: true })
  async customer(
    @Args() { customerId, afterVersion }: CustomerArgs,
    @Ctx() context: RequestContext,
  ): Promise<Customer | null> {
    const wait = waitFor(afterVersion, context);
    const customer = await context.app.commerce.customer(callerOf(context), customerId, wait);
    return customer && toCustomer(customer);
  }

  @Query(() => CustomerConnection, { nullable: true, description: "The caller's own; admin: everybody's." })
  async customers(@Args() paging: PagingArgs, @Ctx() context: RequestContext): Promise<CustomerConnection> {
    return showPage(await context.app.commerce.customers(callerOf(context), paging), toCustomer);
  }

  @Mutation(() => RegisterCustomerPayload)
  async registerCustomer(
    @Arg('input') input: RegisterCustomerInput,
    @Ctx() context: RequestContext,
  ): Promise<RegisterCustomerPayload> {
    return toCommandPayload(await context.app.commerce.registerCustomer(callerOf(context), input));
  }

  @Mutation(() => SetCustomerStatusPayload, { description: 'Admin.' })
  async setCustomerStatus(
    @Arg('input') input: SetCustomerStatusInput,
    @Ctx() context: RequestContext,
  ): Promise<SetCustomerStatusPayload> {
    return toCommandPayload(await context.app.commerce.setCustomerStatus(callerOf(context), input));
  }

  @Mutation(() => RecordPaymentPayload, { description: "Admin: lowers the customer's outstanding balance." })
  async recordPayment(
    @Arg('input') input: RecordPaymentInput,
    @Ctx() context: RequestContext,
  ): Promise<RecordPaymentPayload> {
    return toCommandPayload(await context.app.commerce.recordPayment(callerOf(context), input));
  }
}
