import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type * as words from '../domains/notifications/index.js';
import { connectionOf } from './connections.js';
import { enumOf } from './enums.js';
import { Payload, payloadOf } from './payload.js';
import { Node } from './relay.js';
import { DateTime, URLScalar } from './scalars.js';

/** `deliveries` is in the resolver. */
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: "An address of a producer's to which events are sent by HTTP: docs/webhooks.md.",
})
export class Webhook extends Node implements words.Webhook {
  @Field(() => ID)
  webhookId: string;
  @Field(() => ID, { description: 'Whose it is: events of the notifications of this producer are sent.' })
  ownerId: string;
  @Field(() => URLScalar, { description: 'Where the requests go.' })
  url: string;
  @Field(() => [String], {
    description:
      "Which events are sent: lifecycle events like `DELIVERED`; of an admin's also types of the log like `OrderPlaced`.",
  })
  eventTypes: string[];
  @Field(() => [String], {
    description: 'Lifecycle events of notifications of these types alone are sent. Empty: of all.',
  })
  notificationTypes: string[];
  @Field({
    description:
      'Whether events are sent. While it is false, none are queued either; what waits stays, and is sent once it is true again.',
  })
  isActive: boolean;
  @Field(() => String, {
    nullable: true,
    description: 'Why it was disabled, where it was not its owner who did so.',
  })
  disabledReason: string | null;
  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt: Date;
}

const WebhookDeliveryStatus = enumOf<words.WebhookDeliveryStatus>(
  'WebhookDeliveryStatus',
  'What became of an event for a webhook.',
  {
    PENDING: 'It was not sent yet, or is to be sent again.',
    DELIVERED: 'The receiver answered with 2xx.',
    FAILED:
      'The last attempt failed. The next one is at `nextAttemptAt`, or once the webhook is active again.',
  },
);

@ObjectType({ simpleResolvers: true, description: 'An event for a webhook, and what became of it.' })
export class WebhookDelivery {
  @Field(() => ID, {
    description:
      'The `deliveryId`, which no other object of the API has: a cache may keep the object under it.',
  })
  id: string;
  @Field(() => ID, { description: 'The `webhook-id` of its requests: the same at every attempt.' })
  deliveryId: string;
  @Field({ description: 'The type of the event.' })
  eventType: string;
  @Field(() => WebhookDeliveryStatus, { description: 'Whether the receiver has it.' })
  status: words.WebhookDeliveryStatus;
  @Field(() => Int, { description: 'How often it was sent.' })
  attempts: number;
  @Field(() => Int, {
    nullable: true,
    description: 'The HTTP status of the last answer. Null where the last attempt got none.',
  })
  lastStatusCode: number | null;
  @Field(() => String, { nullable: true, description: 'The first 1 KB of the last answer.' })
  lastAnswer: string | null;
  @Field(() => String, { nullable: true, description: 'Why the last attempt failed. Null where it did not.' })
  lastError: string | null;
  @Field(() => DateTime, { description: 'When it was queued.' })
  createdAt: Date;
  @Field(() => DateTime, { nullable: true, description: 'When the receiver last answered with 2xx.' })
  deliveredAt: Date | null;
  @Field(() => DateTime, { nullable: true, description: 'When it is tried again at the earliest.' })
  nextAttemptAt: Date | null;
}

export const WebhookConnection = connectionOf(
  'Webhook',
  Webhook,
  'A page of webhooks, newest first. There is no `totalCount`.',
);
export const WebhookDeliveryConnection = connectionOf(
  'WebhookDelivery',
  WebhookDelivery,
  "A page of a webhook's deliveries, newest first. There is no `totalCount`.",
);

@InputType()
export class CreateWebhookInput {
  @Field(() => URLScalar, {
    description: 'An https URL of at most 2,048 characters, on port 443 or 8443, whose host is public.',
  })
  url: string | URL;
  @Field(() => [String], {
    description:
      'What to send, 1 to 100: lifecycle events like `DELIVERED`; for admins also types of the log like `OrderPlaced`.',
  })
  eventTypes: string[];
  @Field(() => [String], {
    defaultValue: [],
    description: 'Send lifecycle events of notifications of these types alone; at most 100. Empty: of all.',
  })
  notificationTypes: string[];
}

@InputType()
export class UpdateWebhookInput {
  @Field(() => ID)
  webhookId: string;
  @Field(() => URLScalar, { nullable: true, description: 'As in `createWebhook`. Absent: as it is.' })
  url?: string | URL | null;
  @Field(() => [String], { nullable: true, description: 'As in `createWebhook`. Absent: as they are.' })
  eventTypes?: string[] | null;
  @Field(() => [String], { nullable: true, description: 'As in `createWebhook`. Absent: as they are.' })
  notificationTypes?: string[] | null;
  @Field(() => Boolean, {
    nullable: true,
    description:
      'True: sends again, beginning with what waits. False: sends and queues nothing. Absent: as it is.',
  })
  isActive?: boolean | null;
}

@InputType()
export class DeleteWebhookInput {
  @Field(() => ID)
  webhookId: string;
}

@InputType()
export class RotateWebhookSecretInput {
  @Field(() => ID)
  webhookId: string;
}

@InputType()
export class ReplayWebhookInput {
  @Field(() => ID)
  webhookId: string;
  @Field(() => ID, {
    nullable: true,
    description: 'The `deliveryId` of one of its deliveries. Give this or `since`.',
  })
  deliveryId?: string | null;
  @Field(() => DateTime, {
    nullable: true,
    description:
      'All that was queued from then on: 10,000 at a time, and what was queued at the same instant as the last of them. Give this or `deliveryId`.',
  })
  since?: Date | null;
}

@ObjectType({ simpleResolvers: true })
export class CreateWebhookPayload extends Payload {
  @Field(() => Webhook, { nullable: true })
  webhook?: Webhook | null;
  @Field(() => String, {
    nullable: true,
    description:
      'The secret by which the receiver checks signatures: `whsec_…`. It is shown here and never again.',
  })
  secret?: string | null;
}

export const UpdateWebhookPayload = payloadOf('UpdateWebhook', { webhook: Webhook });

@ObjectType({ simpleResolvers: true })
export class DeleteWebhookPayload extends Payload {
  @Field(() => ID, {
    nullable: true,
    description: 'The raw id of the webhook that was deleted. Null where it was refused.',
  })
  webhookId?: string | null;
  @Field(() => ID, {
    nullable: true,
    description:
      'The global id of the webhook that was deleted: a cache can drop it. Null where it was refused.',
  })
  deletedId: string | null;
}

@ObjectType({ simpleResolvers: true })
export class ReplayWebhookPayload extends Payload {
  @Field(() => Webhook, { nullable: true })
  webhook?: Webhook | null;
  @Field(() => Int, { description: 'How many deliveries are sent again.' })
  queued: number;
  @Field(() => DateTime, {
    nullable: true,
    description:
      'Where there is more than one call queues: call again with this as `since`, to the millisecond, to go on.',
  })
  nextSince?: Date | null;
}
