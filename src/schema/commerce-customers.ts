import { ArgsType, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type * as commerce from '../domains/commerce/index.js';
import { AfterVersionArgs, CommandInput, CommandResult } from './commerce-command.js';
import { Node, PageInfo, toGlobalId } from './relay.js';
import { Decimal } from './scalars.js';

@ObjectType({ implements: Node, simpleResolvers: true, description: 'Amounts are in US dollars.' })
export class Customer extends Node {
  readonly __typename = 'Customer';
  @Field(() => ID)
  customerId: string;
  @Field(() => ID, { description: 'The user whom the customer belongs to.' })
  userId: string;
  @Field()
  firstName: string;
  @Field()
  lastName: string;
  @Field()
  email: string;
  @Field({ description: 'Only an active customer may order.' })
  isActive: boolean;
  @Field(() => Decimal)
  creditLimit: string;
  @Field(() => Decimal, {
    description: 'What is owed for orders; negative where a paid order was cancelled.',
  })
  outstandingBalance: string;
  @Field(() => Int, {
    description: "The stream position of the last of the customer's own events; orders leave it as it is.",
  })
  version: number;
}

/** A customer as the API shows it. */
export const toCustomer = (customer: commerce.Customer): Customer => ({
  __typename: 'Customer',
  id: toGlobalId('Customer', customer.customerId),
  ...customer,
});

@ObjectType({ simpleResolvers: true })
export class CustomerEdge {
  @Field()
  cursor: string;
  @Field(() => Customer)
  node: Customer;
}

@ObjectType({ simpleResolvers: true })
export class CustomerConnection {
  @Field(() => [CustomerEdge])
  edges: readonly CustomerEdge[];
  @Field(() => PageInfo)
  pageInfo: PageInfo;
}

@ArgsType()
export class CustomerArgs extends AfterVersionArgs {
  @Field(() => ID)
  customerId: string;
}

@InputType()
export class RegisterCustomerInput extends CommandInput {
  @Field(() => ID, { nullable: true, description: 'Absent: made up.' })
  customerId?: string | null;
  @Field(() => ID, { nullable: true, description: 'Absent: the caller. Another user: admin.' })
  userId?: string | null;
  @Field()
  firstName: string;
  @Field()
  lastName: string;
  @Field()
  email: string;
  @Field(() => Decimal, {
    nullable: true,
    description: 'Absent: 1000.00. Above 10000.00: admin.',
  })
  creditLimit?: string | null;
}

@InputType({ description: 'What is absent stays as it is.' })
export class SetCustomerStatusInput extends CommandInput {
  @Field(() => ID)
  customerId: string;
  @Field(() => Boolean, { nullable: true })
  isActive?: boolean | null;
  @Field(() => Decimal, { nullable: true })
  creditLimit?: string | null;
}

@InputType()
export class RecordPaymentInput extends CommandInput {
  @Field(() => ID)
  customerId: string;
  @Field(() => Decimal)
  amount: string;
  @Field(() => String, { nullable: true })
  reference?: string | null;
}

@ObjectType({ implements: CommandResult, simpleResolvers: true })
export class RegisterCustomerPayload extends CommandResult {}

@ObjectType({ implements: CommandResult, simpleResolvers: true })
export class SetCustomerStatusPayload extends CommandResult {}

@ObjectType({ implements: CommandResult, simpleResolvers: true })
export class RecordPaymentPayload extends CommandResult {}
