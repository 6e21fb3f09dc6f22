import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type * as words from '../domains/notifications/index.js';
import type { FailedNotification } from '../domains/notifications/index.js';
import { Channel } from './notification-enums.js';
import { Node, PageInfo } from './relay.js';
import { DateTime } from './scalars.js';
import { UserError } from './user-error.js';

/** `id` stands in the resolver. */
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'The record of a delivery that was given up.',
})
export class DeadLetter extends Node implements FailedNotification {
  @Field(() => ID)
  deliveryId: string;
  @Field(() => ID)
  notificationId: string;
  @Field(() => ID)
  userId: string;
  @Field(() => Channel)
  channel: words.Channel;
  @Field()
  error: string;
  @Field(() => Int)
  attempts: number;
  @Field(() => DateTime, { description: "The delivery's." })
  createdAt: Date;
  @Field(() => DateTime)
  failedAt: Date;
  @Field(() => DateTime, {
    nullable: true,
    description: 'When it was retried or discarded. Null: it is open.',
  })
  settledAt: Date | null;
}

@ObjectType({ simpleResolvers: true })
export class DeadLetterEdge {
  @Field()
  cursor: string;
  @Field(() => DeadLetter)
  node: FailedNotification;
}

/** `totalCount` stands in the resolver. */
@ObjectType({ simpleResolvers: true })
export class DeadLetterConnection {
  @Field(() => [DeadLetterEdge])
  edges: readonly DeadLetterEdge[];
  @Field(() => PageInfo)
  pageInfo: PageInfo;
  /** The channel that the list is of; null for all. */
  channel: words.Channel | null;
}

@InputType()
abstract class DeadLetterSelectionInput {
  @Field(() => [ID], { nullable: true, description: '1 to 1,000.' })
  deliveryIds?: string[] | null;
  @Field(() => Channel, {
    nullable: true,
    description: 'All of a channel; together with ids, those of them that are of this channel.',
  })
  channel?: words.Channel | null;
}

@InputType()
export class RetryDeadLettersInput extends DeadLetterSelectionInput {}

@InputType()
export class DiscardDeadLettersInput extends DeadLetterSelectionInput {}

@ObjectType({ simpleResolvers: true })
abstract class SettlementPayload {
  @Field(() => Int, { description: 'How many this call settled.' })
  affected: number;
  @Field(() => [ID], {
    description:
      "Of the named ones, those that were not open: unknown, settled before, or another channel's.",
  })
  skipped: readonly string[];
  @Field({
    description:
      'More were open in the channel than one call takes up in its time: the same call goes on with them.',
  })
  hasMore: boolean;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}

@ObjectType({ simpleResolvers: true })
export class RetryDeadLettersPayload extends SettlementPayload {}

@ObjectType({ simpleResolvers: true })
export class DiscardDeadLettersPayload extends SettlementPayload {}
