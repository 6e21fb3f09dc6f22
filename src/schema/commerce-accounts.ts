import { ArgsType, Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { AccountSummary } from '../domains/commerce/index.js';
import { AfterVersionArgs, CommandInput, CommandResult } from './commerce-command.js';
import { Node, PageInfo, toGlobalId } from './relay.js';
import { DateTime, Decimal } from './scalars.js';

export enum AccountStatus {
  ACTIVE = 'ACTIVE',
  CLOSED = 'CLOSED',
}
registerEnumType(AccountStatus, { name: 'AccountStatus' });

@ObjectType({ simpleResolvers: true })
export class AccountTransaction {
  @Field(() => DateTime)
  date: Date;
  @Field()
  desc: string;
  @Field(() => Decimal, { description: 'Negative for withdrawals.' })
  amount: string;
}

@ObjectType({ implements: Node, simpleResolvers: true })
export class Account extends Node {
  readonly __typename = 'Account';
  @Field(() => ID)
  accountId: string;
  @Field(() => ID)
  ownerId: string;
  @Field(() => AccountStatus)
  status: `${AccountStatus}`;
  @Field(() => Decimal)
  balance: string;
  @Field()
  currency: string;
  @Field(() => [AccountTransaction], { description: 'The newest 20, newest first.' })
  recentTransactions: readonly AccountTransaction[];
  @Field(() => Int, { description: 'The stream position of the last event in it.' })
  version: number;
}

/** An account as the API shows it. */
export const toAccount = (summary: AccountSummary): Account => ({
  __typename: 'Account',
  id: toGlobalId('Account', summary.accountId),
  ...summary,
});

@ObjectType({ simpleResolvers: true })
export class AccountEdge {
  @Field()
  cursor: string;
  @Field(() => Account)
  node: Account;
}

@ObjectType({ simpleResolvers: true })
export class AccountConnection {
  @Field(() => [AccountEdge])
  edges: readonly AccountEdge[];
  @Field(() => PageInfo)
  pageInfo: PageInfo;
}

@ObjectType({ simpleResolvers: true })
export class AccountUpdate {
  @Field({ description: 'Goes on after this update.' })
  cursor: string;
  @Field(() => Account)
  account: Account;
}

@ArgsType()
export class AccountArgs extends AfterVersionArgs {
  @Field(() => ID)
  accountId: string;
  @Field(() => DateTime, {
    nullable: true,
    description: 'The state at that time, replayed from the stream. Not together with `afterVersion`.',
  })
  asOf?: Date | null;
}

@InputType()
export class CreateAccountInput extends CommandInput {
  @Field(() => ID, { nullable: true, description: 'Absent: made up.' })
  accountId?: string | null;
  @Field(() => ID, { nullable: true, description: 'Absent: the caller. Another owner: admin.' })
  ownerId?: string | null;
  @Field(() => String, { defaultValue: 'USD', description: 'ISO 4217.' })
  currency: string;
}

@InputType()
abstract class MoveMoneyInput extends CommandInput {
  @Field(() => ID)
  accountId: string;
  @Field(() => Decimal)
  amount: string;
  @Field(() => String, { nullable: true, description: "Absent: the account's own." })
  currency?: string | null;
  @Field(() => String, { nullable: true })
  description?: string | null;
  @Field(() => Int, { nullable: true, description: 'Refuses if the stream is not at this version.' })
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

@ObjectType({ implements: CommandResult, simpleResolvers: true })
export class CreateAccountPayload extends CommandResult {}

@ObjectType({ implements: CommandResult, simpleResolvers: true })
export class DepositPayload extends CommandResult {}

@ObjectType({ implements: CommandResult, simpleResolvers: true })
export class WithdrawPayload extends CommandResult {}

@ObjectType({ implements: CommandResult, simpleResolvers: true })
export class CloseAccountPayload extends CommandResult {}
