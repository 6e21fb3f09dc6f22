import { ArgsType, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type * as commerce from '../domains/commerce/index.js';
import { AfterVersionArgs, CommandInput } from './commerce-command.js';
import { enumOf } from './enums.js';
import { Node, toGlobalId } from './relay.js';
import { Decimal } from './scalars.js';

export const TransferStatus = enumOf<commerce.Transfer['status']>(
  'TransferStatus',
  'How far a transfer is. It moves on by itself.',
  {
    STARTED: 'Accepted; nothing was moved yet.',
    DEBITED: 'The money has left its source.',
    COMPLETED: 'The money has arrived.',
    REFUSED: 'The source could not give the money; nothing was moved.',
    COMPENSATED: 'The money could not arrive and is back at its source.',
  },
);

@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'Money on its way from one account to another.',
})
export class Transfer extends Node {
  readonly __typename = 'Transfer';
  @Field(() => ID)
  transferId: string;
  @Field(() => ID, { description: 'The raw id of the account that gives.' })
  fromAccountId: string;
  @Field(() => ID, { description: 'The raw id of the account that receives.' })
  toAccountId: string;
  @Field(() => Decimal, { description: 'How much, in `currency`.' })
  amount: string;
  @Field({ description: 'The ISO 4217 code of the amount.' })
  currency: string;
  @Field(() => String, { nullable: true, description: 'What it is for. Null where nobody said so.' })
  description: string | null;
  @Field(() => TransferStatus, { description: 'How far it is.' })
  status: commerce.Transfer['status'];
  @Field(() => String, {
    nullable: true,
    description:
      'Why it was refused or compensated: a code like `ACCOUNT_CLOSED`. Null where it was neither.',
  })
  reason: string | null;
  @Field(() => Int, {
    description:
      'The position of the last event of its stream that is in this object. Compare it with what a command answered.',
  })
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
  @Field(() => ID, { description: "The caller's account that gives, by its raw id or its global id." })
  fromAccountId: string;
  @Field(() => ID, { description: 'The account that receives, by its raw id or its global id.' })
  toAccountId: string;
  @Field(() => Decimal, {
    description: 'How much, in the currency of the source: above zero, below 2^53 minor units.',
  })
  amount: string;
  @Field(() => String, { nullable: true, description: 'What it is for: at most 500 characters.' })
  description?: string | null;
}
