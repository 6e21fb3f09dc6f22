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
import { type Caller, callerOf } from '../platform/caller.js';
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
import { PagingArgs, toGlobalId } from '../schema/relay.js';
import { showChanged } from './changed-object.js';
import { momentOf, pointsOfPast, showPage, toCommandPayload, waitFor } from './commerce-command.js';

@Resolver()
export class AccountResolver {
  @Directive('@rateLimit(limit: 600, duration: 60)')
  @Extensions(pointsOfPast)
  @Query(() => Account, {
    nullable: true,
    description: 'An account, for its owner and admins. Null where there is none.',
  })
  async account(@Args() args: AccountArgs, @Ctx() context: RequestContext): Promise<Account | null> {
    const { accountId, afterVersion } = args;
    const asOf = momentOf(args);
    const caller = callerOf(context);
    const account = asOf
      ? await context.app.commerce.accountAsOf(caller, accountId, asOf)
      : await context.app.commerce.account(caller, accountId, waitFor(afterVersion, context));
    return account && toAccount(account);
  }

  @Query(() => AccountConnection, { nullable: true, description: "The caller's own accounts." })
  async accounts(@Args() paging: PagingArgs, @Ctx() context: RequestContext) {
    return showPage(await context.app.commerce.accounts(callerOf(context), paging), toAccount);
  }

  @Query(() => AuditConnection, {
    nullable: true,
    description: 'Every event of an account, in order. For its owner and admins.',
  })
  async accountAudit(
    @Arg('accountId', () => ID, { description: 'The account, by its raw id or its global id.' })
    accountId: string,
    @Args(() => PagingArgs) paging: PagingArgs,
    @Ctx() context: RequestContext,
  ) {
    const page = await context.app.commerce.accountAudit(callerOf(context), accountId, paging);
    return showPage(page, (entry) => ({
      id: toGlobalId('AuditEntry', `${accountId}:${entry.streamPosition}`),
      ...entry,
    }));
  }

  @Mutation(() => CreateAccountPayload, { description: 'Opens an account with a balance of zero.' })
  async createAccount(@Arg('input') input: CreateAccountInput, @Ctx() context: RequestContext) {
    return toCommandPayload(await context.app.commerce.createAccount(callerOf(context), input));
  }

  @Mutation(() => DepositPayload, { description: 'Pays money into an account.' })
  async deposit(@Arg('input') input: DepositInput, @Ctx() context: RequestContext) {
    return toCommandPayload(await context.app.commerce.deposit(callerOf(context), input));
  }

  @Mutation(() => WithdrawPayload, { description: 'Takes money out of an account, at most what it holds.' })
  async withdraw(@Arg('input') input: WithdrawInput, @Ctx() context: RequestContext) {
    return toCommandPayload(await context.app.commerce.withdraw(callerOf(context), input));
  }

  @Mutation(() => CloseAccountPayload, {
    description:
      "Closes an account of the caller's, or any as an admin. Refused while transfers out of it are under way.",
  })
  async closeAccount(@Arg('input') input: CloseAccountInput, @Ctx() context: RequestContext) {
    return toCommandPayload(await context.app.commerce.closeAccount(callerOf(context), input));
  }

  @Subscription(() => AccountUpdate, {
    description: 'An account after each of its events.',
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

const changedAccount = {
  field: 'account',
  type: Account,
  read: ({ app }: RequestContext, caller: Caller, id: string, wait: commerce.Wait | undefined) =>
    app.commerce.account(caller, id, wait),
  show: toAccount,
};

export const accountResolvers = [
  AccountResolver,
  showChanged(CreateAccountPayload, changedAccount),
  showChanged(DepositPayload, changedAccount),
  showChanged(WithdrawPayload, changedAccount),
  showChanged(CloseAccountPayload, changedAccount),
] as const;
