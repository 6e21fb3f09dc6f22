import { Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql';
import type * as words from '../domains/notifications/index.js';
import type { Campaign as CampaignRecord } from '../domains/notifications/index.js';
import { connectionOf } from './connections.js';
import { enumOf } from './enums.js';
import { Channel, Priority, SuppressionReason } from './notification-enums.js';
import { RenderedContent } from './notifications.js';
import { payloadOf } from './payload.js';
import { Node } from './relay.js';
import { DateTime, JSONObject } from './scalars.js';

export const CampaignStatus = enumOf<words.CampaignStatus>('CampaignStatus', 'How far a campaign is.', {
  SCHEDULED: 'Accepted; it begins at `scheduleAt`.',
  PENDING: 'Accepted; it is taken up within a second.',
  RUNNING: 'Users are queued at its rate.',
  PAUSED: 'Nobody else is queued until it is resumed.',
  COMPLETED: 'Everybody who matches is queued or left out. The last of them may still wait to be sent.',
  CANCELLED: 'Nobody else is queued, and what was not sent is withdrawn.',
  FAILED: 'It cannot go on; `failure` says why.',
});

export const CampaignAction = enumOf<words.CampaignAction>(
  'CampaignAction',
  'What can be done with a campaign. What is done already changes nothing.',
  {
    PAUSE: 'Queue nobody else until it is resumed. What is queued is sent.',
    RESUME: 'Go on where it was paused.',
    CANCEL: 'Queue nobody else, for good, and withdraw what is queued and not sent.',
  },
);

@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description:
    'One message to everybody in a segment. Each user who matches gets one delivery, over the first channel that reaches them, of those that the type has an active template for: push, email, SMS; in-app where its own template is an in-app one.',
})
export class Campaign extends Node implements Omit<CampaignRecord, 'id'> {
  /** Of its global id. */
  campaignId: string;
  @Field(() => ID, {
    description:
      "The producer's own id of the batch. Arguments take it as well as the global `id` of the campaign.",
  })
  batchId: string;
  @Field({ description: 'The id of the user who asked for it.' })
  producer: string;
  @Field(() => ID)
  templateId: string;
  @Field({ description: 'The kind of notification that it sends: that of its template.' })
  notificationType: string;
  @Field(() => Priority, { description: 'How urgent it is.' })
  priority: words.Priority;
  @Field({ description: 'Whom it is for: an expression over user attributes.' })
  filter: string;
  @Field(() => JSONObject, { description: "The values of the template's variables, the same for everybody." })
  variables: CampaignRecord['variables'];
  @Field(() => CampaignStatus, { description: 'How far it is.' })
  status: words.CampaignStatus;
  @Field(() => String, { nullable: true, description: 'Why it failed. Null where it did not.' })
  failure: string | null;
  @Field(() => Int, { description: 'Users who match and have a delivery so far: `queued` and `suppressed`.' })
  matched: number;
  @Field(() => Int, {
    description: 'Users so far whose delivery was queued, or deferred until their quiet hours end.',
  })
  queued: number;
  @Field(() => Int, { description: 'Users so far who were left out; their deliveries say why.' })
  suppressed: number;
  @Field(() => Float, { description: 'Users a second, at most and as long as sending keeps up.' })
  ratePerSecond: number;
  @Field(() => Int, {
    nullable: true,
    description: 'What its producer expected. Null where they did not say.',
  })
  estimatedCount: number | null;
  @Field(() => Int, {
    nullable: true,
    description: 'The rate that its producer asked for, in users a second. Null where they did not.',
  })
  maxPerSecond: number | null;
  @Field(() => Int, {
    nullable: true,
    description: 'Over how many hours it is spread. Null where its producer did not say.',
  })
  windowHours: number | null;
  @Field({ description: 'The asked rate would not have finished in the window, so it is higher.' })
  rateRaised: boolean;
  @Field(() => DateTime, {
    nullable: true,
    description: 'When it was to begin. Null where that was at once.',
  })
  scheduleAt: Date | null;
  @Field(() => DateTime, { description: 'When it was accepted.' })
  createdAt: Date;
  @Field(() => DateTime, {
    nullable: true,
    description: 'When it began: users who signed up later are not in it. Null before that.',
  })
  startedAt: Date | null;
  @Field(() => DateTime, {
    nullable: true,
    description: 'When it was completed, cancelled or failed. Null before that.',
  })
  completedAt: Date | null;
}

export const CampaignConnection = connectionOf(
  'Campaign',
  Campaign,
  'A page of campaigns, newest first. There is no `totalCount`: counting would read all of them.',
);

@InputType({ description: 'Whom a batch is for.' })
export class SegmentInput {
  @Field({
    description:
      'An expression over user attributes: `plan = "pro" and country in ("DE", "FR") and not (lastSeenDays > 30)`.',
  })
  filter: string;
  @Field(() => Int, {
    nullable: true,
    description: 'How many users the producer expects, 0 or more. It is kept and shown, and decides nothing.',
  })
  estimatedCount?: number | null;
}

@InputType({
  description: 'How fast a batch is sent. With neither field, and without a throttle: 500 users a second.',
})
export class ThrottleInput {
  @Field(() => Int, {
    nullable: true,
    description:
      'Users a second, 1 to 1,000,000, evenly spaced. Raised where it would not finish in the window.',
  })
  maxPerSecond?: number | null;
  @Field(() => Int, {
    nullable: true,
    description:
      'Hours, 1 to 720, within which it is sent; without `maxPerSecond` it is spread over them. The time for which it is paused is not counted.',
  })
  windowHours?: number | null;
}

@InputType()
export class SendBatchInput {
  @Field(() => ID, {
    description:
      "The producer's own id of the batch, 1 to 64 characters. The same id and input again answers the same campaign. Taken as it is, whatever it looks like.",
  })
  batchId: string;
  @Field(() => ID)
  templateId: string;
  @Field(() => Priority, { nullable: true, description: 'How urgent it is. Absent: LOW.' })
  priority?: words.Priority | null;
  @Field(() => JSONObject, {
    nullable: true,
    description:
      "The values of the template's variables, the same for everybody, by name: what a recipient's variables may be.",
  })
  variables?: Record<string, unknown> | null;
  @Field(() => SegmentInput, { description: 'Whom it is for.' })
  segment: SegmentInput;
  @Field(() => ThrottleInput, {
    nullable: true,
    description: 'How fast it is sent. Absent: 500 users a second.',
  })
  throttle?: ThrottleInput | null;
  @Field(() => DateTime, {
    nullable: true,
    description:
      'When it begins, at most a year ahead: who matches then gets it. Until then it can be paused and cancelled. Absent: at once.',
  })
  scheduleAt?: Date | null;
  @Field({
    defaultValue: false,
    description:
      'True: only checks it, counts its users and renders it for some of them. Nothing is stored or sent, and the `batchId` stays free.',
  })
  dryRun: boolean;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'What one user would get of a batch if it reached them now. Limits are not looked at, and nothing is counted.',
})
export class BatchSample {
  @Field(() => ID, { description: 'The user, by raw id.' })
  userId: string;
  @Field(() => Channel, { description: 'The channel over which they would get it.' })
  channel: words.Channel;
  @Field(() => SuppressionReason, {
    nullable: true,
    description: 'Why they would be left out, or get it with a digest. Null where neither is so.',
  })
  suppression: words.SuppressionReason | null;
  @Field(() => DateTime, {
    nullable: true,
    description: 'Until when their quiet hours would defer it. Null where they would not.',
  })
  dueAt: Date | null;
  @Field(() => RenderedContent, {
    nullable: true,
    description:
      'Their text, in their language, whether they would be left out or not. Null where there is none in their languages.',
  })
  content: RenderedContent | null;
}

@ObjectType({ simpleResolvers: true, description: 'What a batch would do.' })
export class BatchDryRun {
  @Field(() => Int, { description: 'Users who match now, as exact as `estimateSegment` is.' })
  estimatedUsers: number;
  @Field(() => Float, { description: 'Users a second, at most.' })
  ratePerSecond: number;
  @Field({ description: 'The asked rate would not finish in the window, so it would be higher.' })
  rateRaised: boolean;
  @Field(() => [BatchSample], { description: 'What up to 10 users who match would get.' })
  samples: readonly BatchSample[];
}

@InputType()
export class ControlCampaignInput {
  @Field(() => ID, {
    description: "The producer's own id of the batch, or the global id of its `Campaign`.",
  })
  batchId: string;
  @Field(() => CampaignAction, { description: 'What to do with it.' })
  action: words.CampaignAction;
}

export const SendBatchPayload = payloadOf('SendBatch', { campaign: Campaign, dryRun: BatchDryRun });
export const ControlCampaignPayload = payloadOf('ControlCampaign', { campaign: Campaign });
