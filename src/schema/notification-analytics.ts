import { Field, Float, Int, ObjectType } from 'type-graphql';
import type {
  LatencyQuantiles as LatencyQuantilesRecord,
  QueueStats as QueueStatsRecord,
  Scope,
} from '../domains/notifications/index.js';
import { DateTime } from './scalars.js';

@ObjectType({
  simpleResolvers: true,
  description:
    'From CREATED, or from the time that was scheduled, to DELIVERED; each at most 5 % off. Null: nothing was delivered.',
})
export class LatencyQuantiles implements LatencyQuantilesRecord {
  @Field(() => Float, { nullable: true })
  p50: number | null;
  @Field(() => Float, { nullable: true })
  p95: number | null;
  @Field(() => Float, { nullable: true })
  p99: number | null;
}

/** `series` stands in the resolver. */
@ObjectType({
  simpleResolvers: true,
  description: 'Lifecycle events of a time. Counts are whole numbers that may pass 2^31.',
})
export class NotificationAnalytics {
  @Field(() => Float)
  sent: number;
  @Field(() => Float)
  delivered: number;
  @Field(() => Float)
  opened: number;
  @Field(() => Float, { description: 'A delivery may be clicked several times, on links of their own.' })
  clicked: number;
  @Field(() => Float)
  dismissed: number;
  @Field(() => Float)
  unsubscribed: number;
  @Field(() => Float, { description: 'Calls to providers that failed; most are tried again.' })
  failed: number;
  @Field(() => Float)
  expired: number;
  @Field(() => Float)
  suppressed: number;
  @Field(() => Float, {
    description: 'Opens and clicks that are suspected to be no person’s: counted here alone.',
  })
  suspectedBots: number;
  @Field(() => Float, {
    nullable: true,
    description:
      'Delivered over sent, as they happened in this time: may pass 1 where something was sent before it. Null: nothing was sent.',
  })
  deliveryRate: number | null;
  @Field(() => Float, { nullable: true, description: 'Opened over delivered.' })
  openRate: number | null;
  @Field(() => Float, {
    nullable: true,
    description:
      'Clicked over opened: may pass 1, since a mail can be clicked whose images were never loaded.',
  })
  clickRate: number | null;
  @Field(() => LatencyQuantiles)
  latencyMs: LatencyQuantilesRecord;
  scope: Scope;
}

@ObjectType({ simpleResolvers: true })
export class AnalyticsPoint {
  @Field(() => DateTime, { description: 'When it begins.' })
  at: Date;
  @Field(() => Float)
  sent: number;
  @Field(() => Float)
  delivered: number;
  @Field(() => Float)
  opened: number;
  @Field(() => Float)
  clicked: number;
  @Field(() => Float)
  failed: number;
  @Field(() => Float, { nullable: true })
  p99LatencyMs: number | null;
}

@ObjectType({
  simpleResolvers: true,
  description:
    "A queue of notifications. In a channel's queues a job is a doorbell: it stands for a user, however many deliveries wait for him.",
})
export class QueueStats implements QueueStatsRecord {
  @Field()
  name: string;
  @Field(() => Int)
  waiting: number;
  @Field(() => Int)
  active: number;
  @Field(() => Int)
  delayed: number;
  @Field(() => Int)
  failed: number;
  @Field(() => Float, { nullable: true, description: 'Null: none waits.' })
  oldestWaitingMs: number | null;
}
