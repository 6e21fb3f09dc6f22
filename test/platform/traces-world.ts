import { randomBytes } from 'node:crypto';
import { expect, vi } from 'vitest';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { type SandboxTrial, tryWithSandbox } from '../notifications/with-sandbox.js';
import { type Client, signIn } from '../support/client.js';
import { createTestDatabase } from '../support/database.js';
import { graphql } from '../support/generated/gql.js';
import { startApi, startWorker, type TestProcess } from '../support/processes.js';
import { startTestRedis } from '../support/redis.js';
import { newTrace, startCollector, type TraceCollector } from '../support/trace-collector.js';

const saveTemplate = graphql(`
  mutation SaveTracedTemplate($input: SaveTemplateInput!) {
    saveTemplate(input: $input) { template { templateId } userErrors { code path } }
  }
`);
const registerDevice = graphql(`
  mutation RegisterTracedDevice($input: RegisterDeviceInput!) {
    registerDevice(input: $input) { device { deviceId } userErrors { code path } }
  }
`);
const follow = graphql(`
  mutation FollowTraced($userId: ID!) { followUser(input: { userId: $userId }) { userErrors { code } } }
`);
const publish = graphql(`
  mutation PublishTraced($content: String!) {
    publishPost(input: { content: $content }) { post { postId } userErrors { code } }
  }
`);
const feedUpdated = graphql(`
  subscription FeedUpdatedTraced { feedUpdated { postId post { content } } }
`);
const send = graphql(`
  mutation SendTraced($input: SendNotificationInput!) {
    sendNotification(input: $input) { requestId notificationsQueued userErrors { code path } }
  }
`);
const me = graphql(`query MeTraced { me { userId } }`);

/** An api and a worker whose traces are collected, an author with a follower, and somebody with a phone. */
export interface TracedWorld {
  readonly collector: TraceCollector;
  readonly postgres: Postgres;
  readonly trial: SandboxTrial;
  readonly api: TestProcess;
  readonly worker: TestProcess;
  /** Has `busy-writer` publish a post in the trace. */
  post(content: string, traceparent: string): Promise<void>;
  /** Resolves once no post is being fanned out. */
  untilFannedOut(): Promise<void>;
  /** Has `shop` notify `phone-owner` in the trace. */
  notify(notificationId: string, traceparent: string): Promise<void>;
  /** The contents of posts as `keen-reader` hears of them, who listens by now. */
  readonly heard: readonly string[];
  close(): Promise<void>;
}

export async function startTracedWorld(env: Readonly<Record<string, string>> = {}): Promise<TracedWorld> {
  const [database, redis, trial, collector] = await Promise.all([
    createTestDatabase(),
    startTestRedis(),
    tryWithSandbox(),
    startCollector(),
  ]);
  const postgres = openPostgres(database.url, { max: 1, applicationName: 'test', onError: () => undefined });
  const at = {
    databaseUrl: database.url,
    redisUrl: redis.url,
    env: { ...trial.sandbox.environment, ...collector.environment, LOG_LEVEL: 'debug', ...env },
  };
  const [api, worker] = await Promise.all([startApi(at), startWorker(at)]);
  await (await signIn(api.url, 'busy-writer')).run(me, {});
  const follower = await signIn(api.url, 'keen-reader');
  await follower.run(follow, { userId: 'busy-writer' });
  await prepareNotifications(api.url);
  const heard: string[] = [];
  // It ends when its api is killed.
  const listening = listen(follower, heard).catch(() => undefined);

  const post: TracedWorld['post'] = async (content, traceparent) => {
    const author = await signIn(api.url, 'busy-writer', ['user'], { traceparent });
    await author.run(publish, { content });
  };
  await untilListening(heard, (content) => post(content, newTrace(false).traceparent));
  return {
    collector,
    postgres,
    trial,
    api,
    worker,
    heard,
    post,
    untilFannedOut: () =>
      vi.waitFor(
        async () => {
          const { rows } = await postgres.query(`SELECT FROM outbox WHERE kind = 'feed.fan-out'`);
          if (rows.length > 0) throw new Error('posts are being fanned out');
        },
        { timeout: 30_000 },
      ),
    async notify(notificationId, traceparent) {
      const shop = await signIn(api.url, 'shop', ['user', 'producer'], { traceparent });
      const { sendNotification } = await shop.run(send, {
        input: {
          notificationId,
          type: 'NEW_MESSAGE',
          priority: 'HIGH',
          templateId: 'traced.PUSH',
          recipients: [{ userId: 'phone-owner', channels: ['PUSH'], variables: { name: 'Somebody' } }],
        },
      });
      expect(sendNotification).toMatchObject({ notificationsQueued: 1, userErrors: [] });
    },
    async close() {
      await Promise.all([api.kill('SIGKILL'), worker.kill('SIGKILL')]);
      await Promise.all([listening, postgres.close()]);
      await Promise.all([database.drop(), redis.stop(), trial.close(), collector.close()]);
    },
  };
}

async function prepareNotifications(url: string): Promise<void> {
  const admin = await signIn(url, 'root', ['user', 'admin']);
  await admin.run(saveTemplate, {
    input: {
      templateId: 'traced.PUSH',
      notificationType: 'NEW_MESSAGE',
      channel: 'PUSH',
      title: 'Hello {{name}}',
      body: 'Hi {{name}}',
      variables: { name: { type: 'string' } },
    },
  });
  const owner = await signIn(url, 'phone-owner');
  await owner.run(registerDevice, {
    input: { deviceId: 'phone', platform: 'IOS', deviceToken: 'a1'.repeat(32) },
  });
}

async function listen(follower: Client, heard: string[]): Promise<void> {
  for await (const { feedUpdated: update } of follower.subscribe(feedUpdated, {}))
    heard.push(update.post?.content ?? '');
}

/** Until a subscription listens there is nothing to hear. */
const untilListening = (heard: readonly string[], post: (content: string) => Promise<void>) =>
  vi.waitFor(
    async () => {
      if (heard.length === 0) await post(`anybody there? ${randomBytes(4).toString('hex')}`);
      if (heard.length === 0) throw new Error('nothing is heard yet');
    },
    { interval: 300, timeout: 60_000 },
  );
