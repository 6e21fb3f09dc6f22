import { Args, Ctx, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { callerOf } from '../platform/auth/caller.js';
import { Transfer, TransferArgs, TransferMoneyInput, toTransfer } from '../schema/commerce-transfers.js';
import { waitFor } from './commerce-command.js';
import { commandOf, objectOf } from './commerce-mutation.js';

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
}

export const transfer = objectOf('transfer', Transfer, (commerce) => commerce.transfer, toTransfer);

export const transferResolvers = [
  TransferResolver,
  ...commandOf({
    name: 'transferMoney',
    input: TransferMoneyInput,
    run: ({ transferMoney }) => transferMoney,
    changes: transfer,
    description:
      "Moves money from an account of the caller's to another account. Accepted at once and moved in the background; `transfer` says how it ends.",
    payload:
      'What `transferMoney` answers. `aggregateId` is the transfer; it is only started, and its `status` says how it ends.',
  }),
] as const;
