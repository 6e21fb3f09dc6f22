import { Arg, Args, Ctx, Directive, Extensions, ID, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { RequestContext } from '../context.js';
import type * as commerce from '../domains/commerce/index.js';
import { callerOf } from '../platform/auth/caller.js';
import {
  Account,
  AccountArgs,
  AccountConnection,
  AccountUpdate,
  CloseAccountInput,
  CreateAccountInput,
  DepositInput,
  toAccount,
  WithdrawInput,
} from '../schema/commerce-accounts.js';
import { AuditConnection } from '../schema/commerce-audit.js';
import { PagingArgs, toGlobalId } from '../schema/relay.js';
import { pointsOfPast, readAsAsked, showPage } from './commerce-command.js';
import { commandOf, objectOf } from './commerce-mutation.js';

@Resolver()
export class AccountResolver {
  @Directive('@rateLimit(limit: 600, duration: 60)')
  @Extensions(pointsOfPast)
  @Query(() => Account, {
    nullable: true,
    description: 'An account, for its owner and admins. Null where there is none.',
  })
  async account(@Args() args: AccountArgs, @Ctx() context: RequestContext): Promise<Account | null> {
    const { account, accountAsOf } = context.app.commerce;
    return readAsAsked(args, context, {
      id: args.accountId,
      now: account,
      past: accountAsOf,
      show: toAccount,
    });
  }

  @Query(() => AccountConnection, {
    nullable: true,
    description: "The caller's own accounts; for admins all of them.",
  })
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

export const account = objectOf('account', Account, (commerce) => commerce.account, toAccount);

export const accountResolvers = [
  AccountResolver,
  ...commandOf({
    name: 'createAccount',
    input: CreateAccountInput,
    run: ({ createAccount }) => createAccount,
    changes: account,
    description: 'Opens an account with a balance of zero.',
  }),
  ...commandOf({
    name: 'deposit',
    input: DepositInput,
    run: ({ deposit }) => deposit,
    changes: account,
    description: 'Pays money into an account.',
  }),
  ...commandOf({
    name: 'withdraw',
    input: WithdrawInput,
    run: ({ withdraw }) => withdraw,
    changes: account,
    description: 'Takes money out of an account, at most what it holds.',
  }),
  ...commandOf({
    name: 'closeAccount',
    input: CloseAccountInput,
    run: ({ closeAccount }) => closeAccount,
    changes: account,
    description:
      "Closes an account of the caller's, or any as an admin. Refused while transfers out of it are under way.",
  }),
] as const;
