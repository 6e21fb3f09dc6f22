import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { callerOf } from '../platform/caller.js';
import {
  Transfer,
  TransferArgs,
  TransferMoneyInput,
  TransferMoneyPayload,
  toTransfer,
} from '../schema/commerce-transfers.js';
import { toCommandPayload, waitFor } from './commerce-command.js';

@Resolver()
export class TransferResolver {
  @Query(() => Transfer, { nullable: true })
  async transfer(
    @Args() { transferId, afterVersion }: TransferArgs,
    @Ctx() context: RequestContext,
  ): Promise<Transfer | null> {
    const wait = waitFor(afterVersion, context);
    const transfer = await context.app.commerce.transfer(callerOf(context), transferId, wait);
    return transfer && toTransfer(transfer);
  }

  @Mutation(() => TransferMoneyPayload)
  async transferMoney(
    @Arg('input') input: TransferMoneyInput,
    @Ctx() context: RequestContext,
  ): Promise<TransferMoneyPayload> {
    return toCommandPayload(await context.app.commerce.transferMoney(callerOf(context), input));
  }
}
