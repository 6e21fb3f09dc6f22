import { Field, ID, Int, ObjectType } from 'type-graphql';
import { connectionOf } from './connections.js';
import { DateTime, Decimal } from './scalars.js';

@ObjectType({ simpleResolvers: true, description: "One event of an account's stream." })
export class AuditEntry {
  @Field(() => ID)
  id: string;
  @Field({ description: 'What happened: `AccountCreated`, `MoneyDeposited` and so on.' })
  eventType: string;
  @Field(() => Decimal, {
    nullable: true,
    description:
      'How much was moved, never negative: the event type says in which direction. Null where nothing moved.',
  })
  amount: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'What the caller described it as. Null where they did not.',
  })
  description: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'The id of the user whose command caused it. Null where no user did.',
  })
  performedBy: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'The correlation id: the same for everything that followed from one request.',
  })
  transactionId: string | null;
  @Field(() => DateTime, { description: 'When it was recorded.' })
  createdAt: Date;
  @Field(() => Int, { description: "The position in the account's stream: 0, 1, 2 and so on." })
  streamPosition: number;
}

export const AuditConnection = connectionOf(
  'Audit',
  AuditEntry,
  "A page of an account's events, oldest first. There is no `totalCount`: the account's `version` plus one is the number of its events.",
);
