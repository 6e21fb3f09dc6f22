import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Config, readConfig } from '../../src/config.js';
import { openGate, RateLimitCheck, rateLimitCaller } from '../../src/edge/gate/rate-limit-check.js';
import { registerNotificationRoutes } from '../../src/http/notifications.js';
import { systemClock } from '../../src/platform/clock.js';
import { PublicError } from '../../src/platform/errors.js';
import { holdAnswersToDocument } from '../support/documented-answers.js';
import {
  aRequest,
  aTemplate,
  aUser,
  caller,
  deliveriesOf,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  timelineOf,
  unique,
  until,
} from './notification-world.js';
import { type SandboxTrial, silent, tryWithSandbox } from './with-sandbox.js';

let world: NotificationWorld;
let trial: SandboxTrial;
let api: FastifyInstance;
let url = '';
let viewer: typeof shop.viewer | null = shop.viewer;
let templateId: string;

beforeAll(async () => {
  [world, trial] = await Promise.all([openNotificationWorld(), tryWithSandbox()]);
  const config: Config = {
    ...readConfig({
      ...trial.sandbox.environment,
      DATABASE_URL: 'postgres://localhost/none',
      REDIS_URL: 'redis://localhost',
      AUTH_SECRET: 'a secret that nothing here checks',
    }),
    get baseUrl() {
      return url;
    },
  };
  api = Fastify();
  await holdAnswersToDocument(api);
  // As the edge answers what routes throw.
  api.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof PublicError)) throw error;
    const { code, message } = error;
    return reply.code(code === 'FORBIDDEN' ? 403 : 401).send({ error: { code, message, path: null } });
  });
  await registerNotificationRoutes(api, {
    app: { notifications: world.notifications, config, clock: systemClock, logger: silent },
    openRequest: async (request) => ({
      viewer,
      correlationId: request.id,
      logger: silent,
      signal: new AbortController().signal,
      ip: '127.0.0.1',
      transport: 'http',
      rateLimit: new RateLimitCheck(openGate, rateLimitCaller(viewer, '127.0.0.1'), new Map(), () =>
        AbortSignal.any([]),
      ),
      decision: null,
      queryCost: 0,
    }),
    checkField: async () => undefined,
  });
  url = await api.listen({ port: 0, host: '127.0.0.1' });
  trial.sandbox.setApiUrl(url);
  templateId = await aTemplate(world, 'push', 'ORDER_SHIPPED');
  world.work({ providers: trial.providers(undefined, url), random: () => 0 });
});
beforeEach(async () => {
  viewer = shop.viewer;
  await trial.reset();
});
afterAll(async () => {
  await api.close();
  await world.close();
  await trial.close();
});

async function post(body: object): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(`${url}/api/v1/notifications`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
const request = (userId: string, own: object = {}) => ({
  notification_id: unique('rest'),
  type: 'ORDER_SHIPPED',
  recipients: [{ user_id: userId, channels: ['push'], variables: { name: 'Ann' } }],
  template_id: templateId,
  ...own,
});

describe('POST /api/v1/notifications', () => {
  it("answers 202 with the document's fields, and its repeat the same, also through GraphQL's door", async () => {
    const { userId } = await aUser(world);
    const body = request(userId);
    const first = await post(body);
    expect(first).toEqual({
      status: 202,
      body: {
        request_id: expect.any(String),
        status: 'accepted',
        notifications_queued: 1,
        estimated_delivery: expect.any(String),
      },
    });
    expect(await post(body)).toEqual(first);
    const same = aRequest({
      notificationId: body.notification_id,
      templateId,
      recipients: [{ userId, channels: ['push'], variables: { name: 'Ann' } }],
    });
    expect(await world.notifications.send(shop, same)).toMatchObject({
      value: { requestId: first.body.request_id },
    });
  });

  it('refuses with 400, 409 and 422, each with code, message and path, and lets producers in alone', async () => {
    const { userId } = await aUser(world);
    const body = request(userId);
    await post(body);
    const refusal = (code: string, path: string[] | null) => ({
      error: { code, message: expect.any(String), path },
    });
    expect(await post({ ...body, priority: 'high' })).toEqual({
      status: 409,
      body: refusal('NOTIFICATION_ID_REUSED', ['notification_id']),
    });
    expect(await post(request(userId, { recipients: [] }))).toEqual({
      status: 400,
      body: refusal('NO_RECIPIENTS', ['recipients']),
    });
    expect(await post(request('x'.repeat(65)))).toEqual({
      status: 400,
      body: refusal('ID_INVALID', ['recipients', '0', 'user_id']),
    });
    expect(await post(request(userId, { recipients: [{ user_id: userId, channels: ['fax'] }] }))).toEqual({
      status: 400,
      body: refusal('BAD_USER_INPUT', ['recipients', '0', 'channels', '0']),
    });
    expect(await post(request(unique('nobody')))).toEqual({
      status: 422,
      body: refusal('NOTHING_TO_SEND', ['recipients']),
    });
    expect(await post(request(userId, { template_id: 'none' }))).toEqual({
      status: 422,
      body: refusal('TEMPLATE_NOT_FOUND', ['template_id']),
    });
    viewer = caller('ann').viewer;
    expect(await post(body)).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
    viewer = null;
    expect(await post(body)).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHENTICATED' } } });
  });
});

describe('provider callbacks', () => {
  it('of Twilio and SendGrid bring SMS and mail to DELIVERED', async () => {
    const type = unique('BOTH');
    const named = await aTemplate(world, 'email', type, { subject: 'Hi' });
    await aTemplate(world, 'sms', type);
    const { userId } = await aUser(world);
    const both = aRequest({ templateId: named, recipients: [{ userId, channels: ['email', 'sms'] }] });
    await world.notifications.send(shop, both);
    const deliveries = await until(async () => {
      const found = await deliveriesOf(world, both.notificationId);
      return found.every(({ status }) => status === 'DELIVERED') && found;
    });
    for (const { deliveryId } of deliveries) {
      expect((await timelineOf(world, deliveryId)).slice(-2)).toEqual(['SENT', 'DELIVERED']);
    }
  });

  it('that report a failure end the delivery', async () => {
    await trial.misbehave({ channel: 'sms', outcome: 'undelivered' });
    const sms = await aTemplate(world, 'sms', unique('SMS'));
    const { userId } = await aUser(world);
    const one = aRequest({ templateId: sms, recipients: [{ userId, channels: ['sms'] }] });
    await world.notifications.send(shop, one);
    await until(async () => (await deliveriesOf(world, one.notificationId))[0]?.status === 'DEAD');
  });

  it('without a valid signature are refused', async () => {
    for (const [path, type] of [
      ['twilio?deliveryId=x', 'application/x-www-form-urlencoded'],
      ['sendgrid', 'application/json'],
    ] as const) {
      const answer = await fetch(`${url}/api/v1/callbacks/${path}`, {
        method: 'POST',
        headers: { 'content-type': type, 'x-twilio-signature': 'AAAA' },
        body: type.endsWith('json') ? '[]' : 'MessageSid=a&MessageStatus=delivered',
      });
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ error: { code: 'SIGNATURE_REFUSED' } });
    }
  });
});
