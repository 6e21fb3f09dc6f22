import {
  ArgsType,
  Field,
  ID,
  InputType,
  Int,
  InterfaceType,
  ObjectType,
  registerEnumType,
} from 'type-graphql';
import type { AccountSummary } from '../domains/commerce/index.js';
import { Node, PageInfo, toGlobalId } from './relay.js';
import { DateTime, Decimal } from './scalars.js';
import { UserError } from './user-error.js';

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

@ArgsType()
export class AccountArgs {
  @Field(() => ID)
  accountId: string;
  @Field(() => Int, {
    nullable: true,
    description: 'Waits, 5 s at most, until the read model has reached the version that a command answered.',
  })
  afterVersion?: number | null;
}

@InputType()
export class CreateAccountInput {
  @Field(() => ID, { nullable: true, description: 'Absent: made up.' })
  accountId?: string | null;
  @Field(() => ID, { nullable: true, description: 'Absent: the caller. Another owner: admin.' })
  ownerId?: string | null;
  @Field(() => String, { defaultValue: 'USD', description: 'ISO 4217.' })
  currency: string;
  @Field(() => ID, {
    nullable: true,
    description: 'The same commandId again answers the first result and changes nothing.',
  })
  commandId?: string | null;
}

@InputType()
abstract class MoveMoneyInput {
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
  @Field(() => ID, {
    nullable: true,
    description: 'The same commandId again answers the first result and changes nothing.',
  })
  commandId?: string | null;
}

@InputType()
export class DepositInput extends MoveMoneyInput {}

@InputType()
export class WithdrawInput extends MoveMoneyInput {}

@InputType()
export class CloseAccountInput {
  @Field(() => ID)
  accountId: string;
  @Field(() => ID, { nullable: true })
  commandId?: string | null;
}

@InterfaceType({
  description:
    'What every command answers: the stream it wrote to, and the version to pass as `afterVersion`.',
})
export abstract class CommandResult {
  @Field(() => ID, { nullable: true, simple: true })
  aggregateId: string | null;
  @Field(() => Int, { nullable: true, simple: true })
  version: number | null;
  @Field(() => [UserError], { simple: true })
  userErrors: readonly UserError[];
}

@ObjectType({ implements: CommandResult, simpleResolvers: true })
export class CreateAccountPayload extends CommandResult {}

@ObjectType({ implements: CommandResult, simpleResolvers: true })
export class DepositPayload extends CommandResult {}

@ObjectType({ implements: CommandResult, simpleResolvers: true })
export class WithdrawPayload extends CommandResult {}

@ObjectType({ implements: CommandResult, simpleResolvers: true })
export class CloseAccountPayload extends CommandResult {}
