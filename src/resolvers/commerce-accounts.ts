import {
  Arg,
  Args,
  Ctx,
  Directive,
  Extensions,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import type { RequestContext } from '../context.js';
import type * as commerce from '../domains/commerce/index.js';
import { callerOf } from '../platform/caller.js';
import { PublicError } from '../platform/errors.js';
import {
  Account,
  AccountArgs,
  AccountConnection,
  AccountUpdate,
  CloseAccountInput,
  CloseAccountPayload,
  CreateAccountInput,
  CreateAccountPayload,
  DepositInput,
  DepositPayload,
  toAccount,
  WithdrawInput,
  WithdrawPayload,
} from '../schema/commerce-accounts.js';
import { AuditConnection } from '../schema/commerce-audit.js';
import { pointsOf } from '../schema/rate-limit-directive.js';
import { PagingArgs } from '../schema/relay.js';
import { showPage, toCommandPayload, waitFor } from './commerce-command.js';

@Resolver()
export class AccountResolver {
  @Directive('@rateLimit(limit: 600, duration: 60)')
  // Only the past is replayed from the stream.
  @Extensions(pointsOf(({ asOf }: AccountArgs) => (asOf ? 1 : 0)))
  @Query(() => Account, { nullable: true })
  async account(
    @Args() { accountId, afterVersion, asOf }: AccountArgs,
    @Ctx() context: RequestContext,
  ): Promise<Account | null> {
    if (asOf != null && afterVersion != null) {
      throw new PublicError('BAD_USER_INPUT', 'Use afterVersion or asOf, not both', ['asOf']);
    }
    const caller = callerOf(context);
    const account = asOf
      ? await context.app.commerce.accountAsOf(caller, accountId, asOf)
      : await context.app.commerce.account(caller, accountId, waitFor(afterVersion, context));
    return account && toAccount(account);
  }

  @Query(() => AccountConnection, { nullable: true, description: "The caller's own." })
  async accounts(@Args() paging: PagingArgs, @Ctx() context: RequestContext): Promise<AccountConnection> {
    return showPage(await context.app.commerce.accounts(callerOf(context), paging), toAccount);
  }

  @Query(() => AuditConnection, {
    nullable: true,
    description: 'Everything that ever happened to an account, in order. Owner and admin.',
  })
  accountAudit(
    @Arg('accountId', () => ID) accountId: string,
    @Args(() => PagingArgs) paging: PagingArgs,
    @Ctx() context: RequestContext,
  ): Promise<AuditConnection> {
    return context.app.commerce.accountAudit(callerOf(context), accountId, paging);
  }

  @Mutation(() => CreateAccountPayload)
  async createAccount(
    @Arg('input') input: CreateAccountInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateAccountPayload> {
    return toCommandPayload(await context.app.commerce.createAccount(callerOf(context), input));
  }

  @Mutation(() => DepositPayload)
  async deposit(@Arg('input') input: DepositInput, @Ctx() context: RequestContext): Promise<DepositPayload> {
    return toCommandPayload(await context.app.commerce.deposit(callerOf(context), input));
  }

  @Mutation(() => WithdrawPayload)
  async withdraw(
    @Arg('input') input: WithdrawInput,
    @Ctx() context: RequestContext,
  ): Promise<WithdrawPayload> {
    return toCommandPayload(await context.app.commerce.withdraw(callerOf(context), input));
  }

  @Mutation(() => CloseAccountPayload)
  async closeAccount(
    @Arg('input') input: CloseAccountInput,
    @Ctx() context: RequestContext,
  ): Promise<CloseAccountPayload> {
    return toCommandPayload(await context.app.commerce.closeAccount(callerOf(context), input));
  }

  @Subscription(() => AccountUpdate, {
    description: 'An account after each of its events. Resumes: pass the last `cursor` as `after`.',
    subscribe: ({ context, args }: { context: RequestContext; args: FollowArgs }) =>
      context.app.commerce.followAccount(
        context.hub,
        callerOf(context),
        args.accountId,
        args.after ?? null,
        context.signal,
      ),
  })
  accountUpdated(
    @Root() { cursor, account }: commerce.AccountUpdate,
    @Arg('accountId', () => ID) _accountId: string,
    @Arg('after', () => String, { nullable: true }) _after?: string | null,
  ): AccountUpdate {
    return { cursor, account: toAccount(account) };
  }
}

interface FollowArgs {
  readonly accountId: string;
  readonly after?: string | null;
}
