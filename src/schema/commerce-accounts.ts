import { ArgsType, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { AccountSummary } from '../domains/commerce/index.js';
import { AsOfArgs, CommandInput } from './commerce-command.js';
import { connectionOf } from './connections.js';
import { enumOf } from './enums.js';
import { Node, toGlobalId } from './relay.js';
import { DateTime, Decimal } from './scalars.js';

export const AccountStatus = enumOf<AccountSummary['status']>(
  'AccountStatus',
  'Whether an account can be used.',
  {
    ACTIVE: 'Money can be moved.',
    CLOSED: 'Nothing can be moved any more.',
  },
);

@ObjectType({ simpleResolvers: true, description: 'One movement on an account.' })
export class AccountTransaction {
  @Field(() => DateTime, { description: 'When it happened.' })
  date: Date;
  @Field({ description: 'What it was for, as the caller described it, or which kind of movement it was.' })
  desc: string;
  @Field(() => Decimal, {
    description: "Positive for what came in, negative for what went out, in the account's currency.",
  })
  amount: string;
}

@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'An account that holds money in one currency.',
})
export class Account extends Node {
  readonly __typename = 'Account';
  @Field(() => ID)
  accountId: string;
  @Field(() => ID)
  ownerId: string;
  @Field(() => AccountStatus, { description: 'Whether money can be moved. A closed account stays readable.' })
  status: AccountSummary['status'];
  @Field(() => Decimal, {
    description: 'What the account holds now, with all decimal places of its currency.',
  })
  balance: string;
  @Field({ description: 'The ISO 4217 code of the currency of all its amounts.' })
  currency: string;
  @Field(() => [AccountTransaction], {
    description: 'The newest 20 movements, newest first; `accountAudit` has all of them.',
  })
  recentTransactions: readonly AccountTransaction[];
  @Field(() => Int, {
    description:
      'The position of the last event of its stream that is in this object. Compare it with what a command answered.',
  })
  version: number;
}

/** An account as the API shows it. */
export const toAccount = (summary: AccountSummary): Account => ({
  __typename: 'Account',
  id: toGlobalId('Account', summary.accountId),
  ...summary,
});

export const AccountConnection = connectionOf(
  'Account',
  Account,
  'A page of accounts by account id. There is no `totalCount`.',
);

@ObjectType({ simpleResolvers: true, description: 'An account after one of its events.' })
export class AccountUpdate {
  @Field({ description: 'Pass it as `after` to go on after this update.' })
  cursor: string;
  @Field(() => Account, { description: 'The account as this event left it, or later.' })
  account: Account;
}

@ArgsType()
export class AccountArgs extends AsOfArgs {
  @Field(() => ID)
  accountId: string;
}

@InputType()
export class CreateAccountInput extends CommandInput {
  @Field(() => ID, {
    nullable: true,
    description:
      'The raw id of the new account: 1 to 200 letters, digits and `. _ : @ -`. Absent: the server makes one.',
  })
  accountId?: string | null;
  @Field(() => ID, {
    nullable: true,
    description: 'The user who owns the account. Absent: the caller. Another user: admin.',
  })
  ownerId?: string | null;
  @Field(() => String, { defaultValue: 'USD', description: 'The ISO 4217 code of its currency.' })
  currency: string;
}

@InputType()
abstract class MoveMoneyInput extends CommandInput {
  @Field(() => ID)
  accountId: string;
  @Field(() => Decimal, {
    description:
      'How much: above zero, with at most the decimal places of the currency, below 2^53 minor units.',
  })
  amount: string;
  @Field(() => String, {
    nullable: true,
    description: "The ISO 4217 code of the amount. Absent: the account's own; another one is refused.",
  })
  currency?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'What the movement is for: at most 500 characters.',
  })
  description?: string | null;
  @Field(() => Int, {
    nullable: true,
    description:
      'The version that the account must have; any other is refused with VERSION_CONFLICT. Absent: any.',
  })
  expectedVersion?: number | null;
}

@InputType()
export class DepositInput extends MoveMoneyInput {}

@InputType()
export class WithdrawInput extends MoveMoneyInput {}

@InputType()
export class CloseAccountInput extends CommandInput {
  @Field(() => ID)
  accountId: string;
}
