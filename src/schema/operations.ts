import { Field, Float, Int, ObjectType } from 'type-graphql';
import type * as operations from '../operations.js';
import type * as history from '../operations-history.js';
import { QueueStats } from './notification-analytics.js';
import { DateTime } from './scalars.js';

/** What both kinds of samples have. */
@ObjectType({ simpleResolvers: true })
abstract class Sampled {
  @Field(() => DateTime, { description: 'When it was taken.' })
  at: Date;
  @Field(() => Float, { description: 'Deliveries a second that took the status DELIVERED.' })
  deliveriesPerSecond: number;
  @Field(() => Float, { description: 'Pages of feeds a second that were read, over GraphQL and REST.' })
  feedReadsPerSecond: number;
  @Field(() => Float, { description: 'Events a second that were appended to the log.' })
  eventsPerSecond: number;
  @Field(() => Float, { description: 'Requests and operations a second that a rate limit refused.' })
  rateLimitedPerSecond: number;
  @Field(() => Float, {
    description:
      'The age of the oldest event that the slowest projector has not applied yet, in milliseconds; 0 where there is none. While Postgres does not answer: the last one known, and the time since.',
  })
  projectorLagMs: number;
  @Field(() => Float, {
    description:
      '99 of 100 pages of feeds were read within this many milliseconds, estimated within a bucket of `feed_read_seconds`; 0 where none was read.',
  })
  feedReadP99Ms: number;
  @Field(() => Float, {
    description:
      '99 of 100 deliveries of high priority took at most this many milliseconds from acceptance, or from the scheduled time, to DELIVERED, estimated within a bucket of `notification_latency_seconds`; 0 where none was delivered.',
  })
  highPriorityP99Ms: number;
  @Field(() => Int, {
    description:
      'How many processes the rates and latencies are of. One that starts counts from its second sample on, one that was killed for at most 2.5 s more.',
  })
  processes: number;
  @Field({
    description:
      'Whether Redis and Postgres answered within half a second. If not, what is missing is empty or 0, and rates and latencies may be of this process alone.',
  })
  isComplete: boolean;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'What all api and worker processes together did in about the last second, and how things are at its end.',
})
export class OperationsSample extends Sampled implements operations.OperationsSample {
  @Field(() => [QueueStats], {
    description: 'Every queue of notifications, as `queues` has it. Empty while Redis does not answer.',
  })
  queues: QueueStats[];
}

@ObjectType({
  simpleResolvers: true,
  description: 'A sample of the last minutes: as `operations` has it, with one number for all queues.',
})
export class OperationsPoint extends Sampled implements history.OperationsPoint {
  @Field(() => Int, {
    description: 'How many jobs wait in the queues of notifications. 0 while Redis does not answer.',
  })
  waitingJobs: number;
}
