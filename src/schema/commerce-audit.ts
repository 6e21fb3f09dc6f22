import { Field, Int, ObjectType } from 'type-graphql';
import { PageInfo } from './relay.js';
import { DateTime, Decimal } from './scalars.js';

@ObjectType({ simpleResolvers: true, description: "One event of an account's stream." })
export class AuditEntry {
  @Field()
  eventType: string;
  @Field(() => Decimal, {
    nullable: true,
    description: 'Never negative: the event type says its direction. Null where nothing moved.',
  })
  amount: string | null;
  @Field(() => String, { nullable: true })
  description: string | null;
  @Field(() => String, { nullable: true, description: 'The user whose command it was.' })
  performedBy: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'The correlation id: the same throughout one story.',
  })
  transactionId: string | null;
  @Field(() => DateTime)
  createdAt: Date;
  @Field(() => Int)
  streamPosition: number;
}

@ObjectType({ simpleResolvers: true })
export class AuditEdge {
  @Field()
  cursor: string;
  @Field(() => AuditEntry)
  node: AuditEntry;
}

@ObjectType({ simpleResolvers: true })
export class AuditConnection {
  @Field(() => [AuditEdge])
  edges: readonly AuditEdge[];
  @Field(() => PageInfo)
  pageInfo: PageInfo;
}
