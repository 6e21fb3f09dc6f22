import { ArgsType, Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type * as commerce from '../domains/commerce/index.js';
import { AfterVersionArgs, CommandInput, CommandResult } from './commerce-command.js';
import { Node, toGlobalId } from './relay.js';
import { Decimal } from './scalars.js';

export enum TransferStatus {
  STARTED = 'STARTED',
  DEBITED = 'DEBITED',
  COMPLETED = 'COMPLETED',
  REFUSED = 'REFUSED',
  COMPENSATED = 'COMPENSATED',
}
registerEnumType(TransferStatus, {
  name: 'TransferStatus',
  description:
    'STARTED: accepted, nothing moved. DEBITED: the money is on its way. COMPLETED: it arrived. REFUSED: the source could not give it. COMPENSATED: it could not arrive and is back at its source.',
});

@ObjectType({ implements: Node, simpleResolvers: true })
export class Transfer extends Node {
  readonly __typename = 'Transfer';
  @Field(() => ID)
  transferId: string;
  @Field(() => ID)
  fromAccountId: string;
  @Field(() => ID)
  toAccountId: string;
  @Field(() => Decimal)
  amount: string;
  @Field()
  currency: string;
  @Field(() => String, { nullable: true })
  description: string | null;
  @Field(() => TransferStatus)
  status: `${TransferStatus}`;
  @Field(() => String, {
    nullable: true,
    description: 'Why it was refused or compensated: a code like `ACCOUNT_CLOSED`.',
  })
  reason: string | null;
  @Field(() => Int, { description: 'The stream position of the last event in it.' })
  version: number;
}

/** A transfer as the API shows it. */
export const toTransfer = (transfer: commerce.Transfer): Transfer => ({
  __typename: 'Transfer',
  id: toGlobalId('Transfer', transfer.transferId),
  ...transfer,
});

@ArgsType()
export class TransferArgs extends AfterVersionArgs {
  @Field(() => ID)
  transferId: string;
}

@InputType()
export class TransferMoneyInput extends CommandInput {
  @Field(() => ID)
  fromAccountId: string;
  @Field(() => ID)
  toAccountId: string;
  @Field(() => Decimal)
  amount: string;
  @Field(() => String, { nullable: true })
  description?: string | null;
}

@ObjectType({
  implements: CommandResult,
  simpleResolvers: true,
  description: '`aggregateId` is the transfer; how it ends, the transfer itself tells.',
})
export class TransferMoneyPayload extends CommandResult {}
