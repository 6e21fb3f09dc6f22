import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { App } from '../context.js';
import {
  type BatchDryRun,
  type BatchRequest,
  channels,
  priorities,
  suppressionReasons,
} from '../domains/notifications/index.js';
import { type OpenRequest, snakeCase } from '../edge/index.js';
import type { FieldCheck } from '../schema/rate-limit-directive.js';
import { callerFor } from './callers.js';
import { malformed } from './malformed.js';
import { sendRefusal } from './refusals.js';
import { dateTime, type RestDocument } from './rest-document.js';

interface Deps {
  readonly app: { readonly notifications: Pick<App['notifications'], 'campaigns'> };
  readonly openRequest: OpenRequest;
  readonly checkField: FieldCheck;
}

/** The notification document's batch request. Members that it does not have are refused, not ignored. */
const body = z.strictObject({
  batch_id: z.string(),
  template_id: z.string(),
  priority: z.enum(priorities).nullish().describe('Absent: `low`.'),
  variables: z
    .record(z.string(), z.unknown())
    .nullish()
    .describe('Of the template: the same for everybody. A member that the document does not have.'),
  segment: z.strictObject({
    filter: z.string().describe('An expression over user attributes.'),
    estimated_count: z.int().nullish().describe('Kept and shown; it decides nothing.'),
  }),
  throttle: z
    .strictObject({
      max_per_second: z.int().nullish().describe('1 to 1,000,000.'),
      window_hours: z.int().nullish().describe('1 to 720: the sending is spread over this many hours.'),
    })
    .nullish()
    .describe('Absent: 500 a second.'),
  schedule_at: z.iso
    .datetime({ offset: true })
    .nullish()
    .describe('When it begins. Absent: at once. A member that the document does not have.'),
  dry_run: z
    .boolean()
    .nullish()
    .describe(
      'True: only checks, counts and renders; nothing is stored or sent. The document does not have it.',
    ),
});

const rate = {
  rate_per_second: z.number().describe('Users a second.'),
  rate_raised: z.boolean().describe('The asked rate would not have finished in the window.'),
};
const acceptance = z.object({
  batch_id: z.string(),
  status: z.literal('accepted'),
  ...rate,
  created_at: dateTime('When it was accepted.'),
});
const dryRun = z.object({
  batch_id: z.string(),
  status: z.literal('dry_run'),
  ...rate,
  estimated_users: z.int().describe('Users who match now.'),
  samples: z
    .array(
      z.object({
        user_id: z.string(),
        channel: z.enum(channels),
        suppression: z.enum(suppressionReasons).nullable().describe('Why they would be left out.'),
        due_at: dateTime('Until when their quiet hours would defer it.').nullable(),
        content: z
          .record(z.string(), z.unknown())
          .nullable()
          .describe('Their text: what the template gave, by field.'),
      }),
    )
    .describe('What up to 10 users who match would get.'),
});

const rest: RestDocument = {
  operationId: 'sendBatch',
  tag: 'Notifications',
  access: 'producer',
  summary: 'Producer: sends a template to everybody in a segment, at a pace.',
  description: 'The same `batch_id` with the same body again answers the first result.',
  body: { description: 'The batch.', schema: body },
  answers: {
    200: { description: 'What the batch would do; for `dry_run` alone.', schema: dryRun },
    202: { description: 'Accepted: it begins within a second, or at `schedule_at`.', schema: acceptance },
  },
  refusals: [403, 409, 422],
};

/**
 * POST /api/v1/notifications/batch: 202 `{ batch_id, status, rate_per_second, rate_raised, created_at }`, or, for a dry run, 200. How far
 * it comes, and pausing it, are GraphQL's. Refusals are `{"error":{"code","message","path"}}`. It is limited as `sendBatch` is, by the
 * same counter.
 */
export function registerBatches(app: FastifyInstance, deps: Deps): void {
  app.post('/api/v1/notifications/batch', { config: { rest } }, async (request, reply) => {
    const opened = await deps.openRequest(request, reply);
    const caller = callerFor(rest, opened);
    await deps.checkField('Mutation.sendBatch', opened);
    const parsed = body.safeParse(request.body);
    if (!parsed.success) return sendRefusal(reply, malformed(parsed.error));
    const { campaigns } = deps.app.notifications;
    const batch = toBatchRequest(parsed.data);
    if (parsed.data.dry_run) {
      const tried = await campaigns.dryRun(caller, batch);
      if (!tried.ok) return sendRefusal(reply, tried.errors[0]!, { isSnakeCase: true });
      return reply.code(200).send(toDryRun(batch, tried.value));
    }
    const result = await campaigns.send(caller, batch);
    if (!result.ok) return sendRefusal(reply, result.errors[0]!, { isSnakeCase: true });
    const { batchId, ratePerSecond, rateRaised, createdAt } = result.value;
    return reply.code(202).send({
      batch_id: batchId,
      status: 'accepted',
      rate_per_second: ratePerSecond,
      rate_raised: rateRaised,
      created_at: createdAt,
    });
  });
}

const toDryRun = (
  { batchId }: BatchRequest,
  { ratePerSecond, rateRaised, estimatedUsers, samples }: BatchDryRun,
) => ({
  ...{ batch_id: batchId, status: 'dry_run' },
  ...{ rate_per_second: ratePerSecond, rate_raised: rateRaised, estimated_users: estimatedUsers },
  samples: samples.map(({ userId, channel, suppression, dueAt, content }) => ({
    ...{ user_id: userId, channel, suppression, due_at: dueAt },
    content:
      content && Object.fromEntries(Object.entries(content).map(([field, text]) => [snakeCase(field), text])),
  })),
});

/** The same request as GraphQL makes of the same input, so that both stand under one id. */
const toBatchRequest = ({
  batch_id,
  template_id,
  priority,
  variables,
  segment,
  throttle,
  schedule_at,
}: z.infer<typeof body>): BatchRequest => ({
  batchId: batch_id,
  templateId: template_id,
  priority: priority ?? undefined,
  variables: variables ?? undefined,
  segment: { filter: segment.filter, estimatedCount: segment.estimated_count ?? undefined },
  throttle: throttle
    ? {
        maxPerSecond: throttle.max_per_second ?? undefined,
        windowHours: throttle.window_hours ?? undefined,
      }
    : undefined,
  scheduleAt: schedule_at == null ? undefined : new Date(schedule_at),
});
