import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type * as words from '../domains/notifications/index.js';
import { enumOf } from './enums.js';
import { Channel, DeliveryStatus } from './notification-enums.js';
import { DateTime } from './scalars.js';

export const BacklogState = enumOf<words.BacklogState>('BacklogState', 'How deliveries do not go on.', {
  WAITING:
    'They wait in mailboxes to be sent: for a worker, behind others, or for a provider that is paused.',
  RETRYING: 'An attempt failed, or a limit of the channel was reached: the next one waits for its time.',
  DEFERRED: 'They were put off; `cause` says why.',
  SCHEDULED: 'Their time has not come: their producer said when.',
  DEAD: 'All attempts failed: they are open dead letters.',
});

/** `oldest` stands in the resolver. */
@ObjectType({
  simpleResolvers: true,
  description: 'Deliveries of a channel that do not go on, for one cause.',
})
export class NotificationBacklogEntry implements Omit<words.BacklogEntry, 'oldestId'> {
  @Field(() => Channel, { description: 'The channel.' })
  channel: words.Channel;
  @Field(() => BacklogState, { description: 'How they do not go on.' })
  state: words.BacklogState;
  @Field(() => String, {
    nullable: true,
    description:
      "Why. Of RETRYING and DEAD the code of the last error, such as TIMEOUT or PROVIDER_PAUSED, or GLOBAL_LIMIT where the channel's limit put it off. Of DEFERRED: QUIET_HOURS, GROUPED, DIGESTED, or FALLBACK where another channel has just failed. Null of WAITING and SCHEDULED.",
  })
  cause: string | null;
  @Field(() => Int, {
    description:
      'How many: exact up to 1,000 of a channel and state. Where there is more than one cause, exact up to 200.',
  })
  count: number;
  @Field({ description: 'Whether `count` is an estimate. False: it is exact.' })
  countIsEstimate: boolean;
  @Field(() => DateTime, {
    description:
      'Since when the oldest waits: since it came into its mailbox, was put off or given up. Of what is RETRYING, DEFERRED or SCHEDULED it is the oldest of the 200 that go on first.',
  })
  since: Date;
}

@InputType({ description: 'Which deliveries. What is absent or null narrows nothing.' })
export class DeliveryFilter {
  @Field(() => ID, { nullable: true, description: 'Only those to this user, by their raw id or global id.' })
  userId?: string | null;
  @Field(() => Channel, { nullable: true, description: 'Only those over this channel.' })
  channel?: words.Channel | null;
  @Field(() => DeliveryStatus, {
    nullable: true,
    description: 'Only those that are so far. A page looks at the status of 2,000 deliveries at most.',
  })
  status?: words.DeliveryStatus | null;
  @Field(() => String, { nullable: true, description: 'Only those of this kind of notification.' })
  notificationType?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Only those that this producer asked for, by the id of the user who did.',
  })
  producer?: string | null;
  @Field(() => DateTime, { nullable: true, description: 'Only what was accepted at this time or after it.' })
  from?: Date | null;
  @Field(() => DateTime, { nullable: true, description: 'Only what was accepted before this time.' })
  to?: Date | null;
}
