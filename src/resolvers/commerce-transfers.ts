import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import type { Wait } from '../domains/commerce/index.js';
import { type Caller, callerOf } from '../platform/caller.js';
import {
  Transfer,
  TransferArgs,
  TransferMoneyInput,
  TransferMoneyPayload,
  toTransfer,
} from '../schema/commerce-transfers.js';
import { showChanged } from './changed-object.js';
import { toCommandPayload, waitFor } from './commerce-command.js';

@Resolver()
export class TransferResolver {
  @Query(() => Transfer, {
    nullable: true,
    description: 'A transfer, for the owner of its source and admins. Null where there is none.',
  })
  async transfer(
    @Args() { transferId, afterVersion }: TransferArgs,
    @Ctx() context: RequestContext,
  ): Promise<Transfer | null> {
    const wait = waitFor(afterVersion, context);
    const transfer = await context.app.commerce.transfer(callerOf(context), transferId, wait);
    return transfer && toTransfer(transfer);
  }

  @Mutation(() => TransferMoneyPayload, {
    description:
      "Moves money from an account of the caller's to another account. Accepted at once and moved in the background; `transfer` says how it ends.",
  })
  async transferMoney(@Arg('input') input: TransferMoneyInput, @Ctx() context: RequestContext) {
    return toCommandPayload(await context.app.commerce.transferMoney(callerOf(context), input));
  }
}

const changedTransfer = {
  field: 'transfer',
  type: Transfer,
  read: ({ app }: RequestContext, caller: Caller, id: string, wait: Wait | undefined) =>
    app.commerce.transfer(caller, id, wait),
  show: toTransfer,
};

export const transferResolvers = [
  TransferResolver,
  showChanged(TransferMoneyPayload, changedTransfer),
] as const;
