import { ArgsType, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type * as commerce from '../domains/commerce/index.js';
import { AsOfArgs, CommandInput } from './commerce-command.js';
import { connectionOf } from './connections.js';
import { Node, toGlobalId } from './relay.js';
import { Decimal } from './scalars.js';

@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A customer, who places orders. All amounts are in US dollars.',
})
export class Customer extends Node {
  readonly __typename = 'Customer';
  @Field(() => ID)
  customerId: string;
  @Field(() => ID, { description: 'The raw id of the user whom the customer belongs to.' })
  userId: string;
  @Field({ description: 'The first name, 1 to 100 characters.' })
  firstName: string;
  @Field({ description: 'The last name; may be empty.' })
  lastName: string;
  @Field({ description: 'Where messages about orders go.' })
  email: string;
  @Field({ description: 'Only an active customer may order.' })
  isActive: boolean;
  @Field(() => Decimal, { description: 'How high the outstanding balance may become by an order.' })
  creditLimit: string;
  @Field(() => Decimal, {
    description:
      'What is owed for orders. Negative where a paid order was cancelled. Orders change it without `version`: wait for the `position` of their command.',
  })
  outstandingBalance: string;
  @Field(() => Int, {
    description: "The position of the last of the customer's own events; orders leave it as it is.",
  })
  version: number;
}

/** A customer as the API shows it. */
export const toCustomer = (customer: commerce.Customer): Customer => ({
  __typename: 'Customer',
  id: toGlobalId('Customer', customer.customerId),
  ...customer,
});

export const CustomerConnection = connectionOf(
  'Customer',
  Customer,
  'A page of customers by customer id. There is no `totalCount`.',
);

@ArgsType()
export class CustomerArgs extends AsOfArgs {
  @Field(() => ID)
  customerId: string;
  @Field(() => String, {
    nullable: true,
    description:
      'A position of the log that a command answered, of an order for example. Waits, 5 s at most, until `outstandingBalance` has everything up to it; then fails with READ_MODEL_TIMEOUT.',
  })
  afterPosition?: string | null;
}

@InputType()
export class RegisterCustomerInput extends CommandInput {
  @Field(() => ID, {
    nullable: true,
    description:
      'The raw id of the new customer: 1 to 200 letters, digits and `. _ : @ -`. Absent: the server makes one.',
  })
  customerId?: string | null;
  @Field(() => ID, {
    nullable: true,
    description: 'The user whom the customer belongs to. Absent: the caller. Another user: admin.',
  })
  userId?: string | null;
  @Field({ description: '1 to 100 characters.' })
  firstName: string;
  @Field({ description: 'At most 100 characters; may be empty.' })
  lastName: string;
  @Field({ description: 'Where messages about orders go.' })
  email: string;
  @Field(() => Decimal, {
    nullable: true,
    description: 'In US dollars, 0 or more. Absent: 1000.00. Above 10000.00: admin.',
  })
  creditLimit?: string | null;
}

@InputType({ description: 'What `setCustomerStatus` takes. What is absent or null stays as it is.' })
export class SetCustomerStatusInput extends CommandInput {
  @Field(() => ID)
  customerId: string;
  @Field(() => Boolean, { nullable: true, description: 'Whether the customer may order.' })
  isActive?: boolean | null;
  @Field(() => Decimal, { nullable: true, description: 'In US dollars, 0 or more.' })
  creditLimit?: string | null;
}

@InputType()
export class RecordPaymentInput extends CommandInput {
  @Field(() => ID)
  customerId: string;
  @Field(() => Decimal, {
    description: 'How much was paid, in US dollars: above zero and at most what is owed.',
  })
  amount: string;
  @Field(() => String, {
    nullable: true,
    description: 'A text of at most 200 characters that finds the payment elsewhere. Absent: none.',
  })
  reference?: string | null;
}
