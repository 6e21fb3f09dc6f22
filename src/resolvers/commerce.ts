import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import type { Accepted, Wait } from '../domains/commerce/index.js';
import { callerOf } from '../platform/caller.js';
import type { Result } from '../platform/errors.js';
import {
  Account,
  AccountArgs,
  AccountConnection,
  CloseAccountInput,
  CloseAccountPayload,
  type CommandResult,
  CreateAccountInput,
  CreateAccountPayload,
  DepositInput,
  DepositPayload,
  toAccount,
  WithdrawInput,
  WithdrawPayload,
} from '../schema/commerce.js';
import { PagingArgs } from '../schema/relay.js';

@Resolver()
export class CommerceResolver {
  @Query(() => Account, { nullable: true })
  async account(@Args() args: AccountArgs, @Ctx() context: RequestContext): Promise<Account | null> {
    const { commerce } = context.app;
    const wait = waitFor(args.afterVersion, context);
    const account = await commerce.account(callerOf(context), args.accountId, wait);
    return account && toAccount(account);
  }

  @Query(() => AccountConnection, { nullable: true, description: "The caller's own." })
  async accounts(@Args() paging: PagingArgs, @Ctx() context: RequestContext): Promise<AccountConnection> {
    const page = await context.app.commerce.accounts(callerOf(context), paging);
    return { ...page, edges: page.edges.map(({ cursor, node }) => ({ cursor, node: toAccount(node) })) };
  }

  @Mutation(() => CreateAccountPayload)
  async createAccount(
    @Arg('input') input: CreateAccountInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateAccountPayload> {
    return toPayload(await context.app.commerce.createAccount(callerOf(context), input));
  }

  @Mutation(() => DepositPayload)
  async deposit(@Arg('input') input: DepositInput, @Ctx() context: RequestContext): Promise<DepositPayload> {
    return toPayload(await context.app.commerce.deposit(callerOf(context), input));
  }

  @Mutation(() => WithdrawPayload)
  async withdraw(
    @Arg('input') input: WithdrawInput,
    @Ctx() context: RequestContext,
  ): Promise<WithdrawPayload> {
    return toPayload(await context.app.commerce.withdraw(callerOf(context), input));
  }

  @Mutation(() => CloseAccountPayload)
  async closeAccount(
    @Arg('input') input: CloseAccountInput,
    @Ctx() context: RequestContext,
  ): Promise<CloseAccountPayload> {
    return toPayload(await context.app.commerce.closeAccount(callerOf(context), input));
  }
}

export const commerceResolvers = [CommerceResolver] as const;

/** Loads commerce's objects for `node`, by type and raw id. */
export const commerceNodes = {
  Account: async (accountId: string, context: RequestContext): Promise<Account | null> => {
    const account = await context.app.commerce.account(callerOf(context), accountId);
    return account && toAccount(account);
  },
};

function toPayload(result: Result<Accepted>): CommandResult {
  return result.ok
    ? { aggregateId: result.value.aggregateId, version: result.value.version, userErrors: [] }
    : { aggregateId: null, version: null, userErrors: result.errors };
}

function waitFor(afterVersion: number | null | undefined, context: RequestContext): Wait | undefined {
  if (afterVersion == null) return undefined;
  return { afterVersion, hub: context.hub, clock: context.app.clock, signal: context.signal };
}
