import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { App } from '../context.js';
import {
  type Acceptance,
  channels,
  MAX_RECIPIENTS,
  priorities,
  type SendRequest,
} from '../domains/notifications/index.js';
import type { OpenRequest } from '../edge/index.js';
import type { FieldCheck } from '../schema/rate-limit-directive.js';
import { callerFor } from './callers.js';
import { listUpTo } from './list-up-to.js';
import { malformed } from './malformed.js';
import { registerBatches } from './notification-batches.js';
import { registerProviderCallbacks } from './notification-callbacks.js';
import { registerTracking } from './notification-tracking.js';
import { sendRefusal } from './refusals.js';
import { dateTime, type RestDocument } from './rest-document.js';

interface Deps {
  readonly app: Pick<App, 'notifications' | 'config' | 'clock' | 'logger'>;
  readonly openRequest: OpenRequest;
  readonly checkField: FieldCheck;
}

/** A thousand recipients with some kilobytes of variables each. */
const MAX_REQUEST_BYTES = 8 * 1024 * 1024;

/** Of one recipient; a channel that is named twice counts once. */
const MOST_CHANNELS = 10;

/** The notification document's request body. Members that it does not have are refused, not ignored. */
const body = z.strictObject({
  notification_id: z.string(),
  type: z.string(),
  priority: z.enum(priorities).nullish(),
  recipients: listUpTo(
    MAX_RECIPIENTS,
    z.array(
      z.strictObject({
        user_id: z.string(),
        channels: listUpTo(MOST_CHANNELS, z.array(z.enum(channels)).max(MOST_CHANNELS)).nullish(),
        variables: z.record(z.string(), z.unknown()).nullish(),
      }),
    ),
  ),
  template_id: z.string(),
  fallback_channels: listUpTo(channels.length, z.array(z.enum(channels))).nullish(),
  schedule_at: z.iso.datetime({ offset: true }).nullish(),
  schedule_in_local_time: z.boolean().nullish(),
  expires_at: z.iso.datetime({ offset: true }).nullish(),
  group: z
    .strictObject({ key: z.string(), actor_id: z.string(), actor_name: z.string() })
    .nullish()
    .describe('What it is about and who acted: sent as one with others of its type about the same.'),
});

const acceptance = z.object({
  request_id: z.string(),
  status: z.literal('accepted'),
  notifications_queued: z.int().describe('One for each recipient and channel.'),
  estimated_delivery: dateTime('By when they should have arrived.'),
  suppressed: z
    .array(
      z.object({
        user_id: z.string(),
        channel: z
          .enum(channels)
          .nullable()
          .describe("Null where it concerns all of the recipient's channels."),
        reason: z.string(),
        detail: z.string().optional(),
      }),
    )
    .optional()
    .describe('The recipients and channels to which nothing was queued. Absent where there are none.'),
});

const rest: RestDocument = {
  operationId: 'sendNotification',
  tag: 'Notifications',
  access: 'producer',
  summary: 'Producer: sends a notification to up to 1,000 recipients.',
  description: 'The same `notification_id` with the same body again answers the first result.',
  body: { description: 'The notification.', schema: body },
  answers: { 202: { description: 'Accepted.', schema: acceptance } },
  refusals: [403, 409, 422],
};

/**
 * The REST face of notifications:
 *
 * - POST /api/v1/notifications: 202 `{ request_id, status, notifications_queued, estimated_delivery }`, and
 *   `suppressed` where somebody was left out
 * - POST /api/v1/notifications/batch; see `registerBatches`
 * - POST /api/v1/callbacks/twilio and /sendgrid: what providers report later
 * - the links in mails; see `registerTracking`
 *
 * Refusals are `{"error":{"code","message","path"}}`.
 */
export async function registerNotificationRoutes(app: FastifyInstance, deps: Deps): Promise<void> {
  const options = { bodyLimit: MAX_REQUEST_BYTES, config: { rest } };
  app.post('/api/v1/notifications', options, async (request, reply) => {
    const caller = callerFor(rest, await deps.openRequest(request, reply));
    const parsed = body.safeParse(request.body);
    if (!parsed.success) return sendRefusal(reply, malformed(parsed.error));
    const result = await deps.app.notifications.send(caller, toSendRequest(parsed.data));
    if (!result.ok) return sendRefusal(reply, result.errors[0]!, { isSnakeCase: true });
    return reply.code(202).send(toResponse(result.value));
  });
  registerBatches(app, deps);
  // Awaited: rules of rate limits are held against the routes that there are before the server listens.
  await app.register(async (callbacks) => registerProviderCallbacks(callbacks, deps));
  await registerTracking(app, deps);
}

/** The document's response; and who was left out, where somebody was. */
const toResponse = (given: Acceptance): z.infer<typeof acceptance> => ({
  request_id: given.requestId,
  status: given.status,
  notifications_queued: given.notificationsQueued,
  estimated_delivery: given.estimatedDelivery,
  ...(given.suppressed.length > 0 && { suppressed: given.suppressed.map(toSuppression) }),
});

const toSuppression = ({ userId, channel, reason, detail }: Acceptance['suppressed'][number]) => ({
  user_id: userId,
  channel,
  reason,
  ...(detail !== undefined && { detail }),
});

/** The same request as GraphQL makes of the same input, so that both stand under one id. */
function toSendRequest(given: z.infer<typeof body>): SendRequest {
  return {
    notificationId: given.notification_id,
    type: given.type,
    priority: given.priority ?? undefined,
    recipients: given.recipients.map((recipient) => ({
      userId: recipient.user_id,
      channels: recipient.channels ?? undefined,
      variables: recipient.variables ?? undefined,
    })),
    templateId: given.template_id,
    fallbackChannels: given.fallback_channels ?? undefined,
    scheduleAt: instant(given.schedule_at),
    scheduleInLocalTime: given.schedule_in_local_time ?? undefined,
    expiresAt: instant(given.expires_at),
    group: given.group
      ? { key: given.group.key, actorId: given.group.actor_id, actorName: given.group.actor_name }
      : undefined,
  };
}

const instant = (text: string | null | undefined): Date | undefined =>
  text == null ? undefined : new Date(text);
