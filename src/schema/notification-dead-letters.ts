import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type * as words from '../domains/notifications/index.js';
import type { FailedNotification } from '../domains/notifications/index.js';
import { connectionOf } from './connections.js';
import { Channel } from './notification-enums.js';
import { Payload } from './payload.js';
import { Node } from './relay.js';
import { DateTime } from './scalars.js';

@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'The record of a delivery that was given up.',
})
export class DeadLetter extends Node implements FailedNotification {
  @Field(() => ID, { description: 'The raw id of the delivery.' })
  deliveryId: string;
  @Field(() => ID, { description: "The producer's own id of the notification." })
  notificationId: string;
  @Field(() => ID)
  userId: string;
  @Field(() => Channel, { description: 'The channel over which it was tried.' })
  channel: words.Channel;
  @Field({ description: 'The last error.' })
  error: string;
  @Field(() => Int, { description: 'How often it was tried.' })
  attempts: number;
  @Field(() => DateTime, { description: 'When the delivery was created.' })
  createdAt: Date;
  @Field(() => DateTime, { description: 'When it was given up.' })
  failedAt: Date;
  @Field(() => DateTime, {
    nullable: true,
    description: 'When it was retried or discarded. Null while it is open.',
  })
  settledAt: Date | null;
}

/** `totalCount` is in the resolver: counted only where it is selected. */
export const DeadLetterConnection = connectionOf(
  'DeadLetter',
  DeadLetter,
  'A page of open dead letters, newest first.',
);

@InputType()
abstract class DeadLetterSelectionInput {
  @Field(() => [ID], {
    nullable: true,
    description: '1 to 1,000 deliveries, each by its raw id, its global id, or that of its dead letter.',
  })
  deliveryIds?: string[] | null;
  @Field(() => Channel, {
    nullable: true,
    description: 'All of this channel. Together with `deliveryIds`: those of them that are of this channel.',
  })
  channel?: words.Channel | null;
}

@InputType()
export class RetryDeadLettersInput extends DeadLetterSelectionInput {}

@InputType()
export class DiscardDeadLettersInput extends DeadLetterSelectionInput {}

/** `deadLetters` stands in the resolver. */
@ObjectType({ simpleResolvers: true })
abstract class SettlementPayload extends Payload {
  readonly settled: readonly string[];
  @Field(() => Int, { description: 'How many dead letters this call settled.' })
  affected: number;
  @Field(() => [ID], {
    description:
      'The raw ids among `deliveryIds` that were not open: unknown, settled before, or of another channel.',
  })
  skipped: readonly string[];
  @Field({
    description: 'True where the channel had more than one call handles: call again to go on.',
  })
  hasMore: boolean;
}

@ObjectType({ simpleResolvers: true })
export class RetryDeadLettersPayload extends SettlementPayload {}

@ObjectType({ simpleResolvers: true })
export class DiscardDeadLettersPayload extends SettlementPayload {}
