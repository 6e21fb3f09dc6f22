import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SandboxTrial, tryWithSandbox } from '../notifications/with-sandbox.js';
import { type Client, signIn } from '../support/client.js';
import { graphql } from '../support/generated/gql.js';
import { lacksPgbouncer, startPgbouncer, type TestPgbouncer } from '../support/pgbouncer.js';
import { startApi, startWorker, type TestProcess } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres.js';

const publish = graphql(`
  mutation PublishThroughPooler($content: String!) {
    publishPost(input: { content: $content }) { post { postId } userErrors { code } }
  }
`);
const follow = graphql(`
  mutation FollowThroughPooler($userId: ID!) {
    followUser(input: { userId: $userId }) { user { userId } userErrors { code } }
  }
`);
const feed = graphql(`
  query FeedThroughPooler { feed(first: 10, order: LATEST) { edges { node { postId } } } }
`);
const feedUpdated = graphql(`subscription HearThroughPooler { feedUpdated { postId } }`);
const me = graphql(`query MeThroughPooler { me { userId } }`);
const saveTemplate = graphql(`
  mutation SaveTemplateThroughPooler($input: SaveTemplateInput!) {
    saveTemplate(input: $input) { template { templateId } userErrors { code } }
  }
`);
const saveAddress = graphql(`
  mutation SaveAddressThroughPooler($email: String) {
    updateNotificationSettings(input: { email: $email }) { userErrors { code } }
  }
`);
const send = graphql(`
  mutation SendThroughPooler($input: SendNotificationInput!) {
    sendNotification(input: $input) { status userErrors { code } }
  }
`);
const requestOf = graphql(`
  query RequestThroughPooler($notificationId: ID!) {
    notificationRequest(notificationId: $notificationId) { deliveries { nodes { status } } }
  }
`);
const requests = graphql(`
  query RequestsThroughPooler { notificationRequests(first: 100) { nodes { notificationId } } }
`);
const registerCustomer = graphql(`
  mutation RegisterThroughPooler($input: RegisterCustomerInput!) {
    registerCustomer(input: $input) { version userErrors { code } }
  }
`);
const saveProduct = graphql(`
  mutation SaveProductThroughPooler($input: SaveProductInput!) {
    saveProduct(input: $input) { version userErrors { code } }
  }
`);
const placeOrder = graphql(`
  mutation PlaceThroughPooler($input: PlaceOrderInput!) {
    placeOrder(input: $input) { version userErrors { code } }
  }
`);
const orderOf = graphql(`
  query OrderThroughPooler($orderId: ID!, $afterVersion: Int) {
    order(orderId: $orderId, afterVersion: $afterVersion) { status }
  }
`);
const orders = graphql(`query OrdersThroughPooler { orders(first: 50) { nodes { orderId } } }`);

const SESSIONS = 6;

describe.skipIf(lacksPgbouncer)(
  'two apis and a worker behind PgBouncer, with a replica',
  { timeout: 120_000 },
  () => {
    let servers: ReplicatedPostgres;
    let pooler: TestPgbouncer;
    let redis: TestRedis;
    let trial: SandboxTrial;
    let apis: TestProcess[];
    let worker: TestProcess;
    /** The same user at each api. */
    let buyers: Client[];
    let admin: Client;

    beforeAll(async () => {
      [servers, redis, trial] = await Promise.all([
        startReplicatedPostgres(),
        startTestRedis(),
        tryWithSandbox(),
      ]);
      pooler = await startPgbouncer(servers.primaryUrl, { poolSize: SESSIONS });
      const env = {
        ...trial.sandbox.environment,
        DATABASE_DIRECT_URL: servers.primaryUrl,
        DATABASE_REPLICA_URLS: servers.replicaUrl,
        DATABASE_REPLICA_MAX_LAG_MS: '60000',
      };
      const at = { databaseUrl: pooler.url, redisUrl: redis.url, env };
      apis = await Promise.all([startApi(at), startApi(at)]);
      worker = await startWorker({ ...at, env: { ...env, BASE_URL: apis[0]!.url } });
      trial.sandbox.setApiUrl(apis[0]!.url);
      buyers = await Promise.all(apis.map((api) => signIn(api.url, 'buyer')));
      admin = await signIn(apis[0]!.url, 'root', ['user', 'admin', 'producer']);
      const customer = { customerId: 'c1', firstName: 'Ada', lastName: 'L', email: 'ada@example.com' };
      await buyers[0]!.run(registerCustomer, { input: customer });
      const product = { productId: 'p1', name: 'Engine', unitPrice: '1.00', inStock: 1_000 };
      await admin.run(saveProduct, { input: product });
    }, 180_000);
    afterAll(async () => {
      await Promise.all([worker, ...(apis ?? [])].map((process) => process?.kill('SIGKILL')));
      await pooler?.stop();
      await Promise.all([servers?.close(), redis?.stop(), trial?.close()]);
    });

    const place = async (orderId: string): Promise<void> => {
      const items = [{ productId: 'p1', quantity: 1, price: '1.00' }];
      const shippingAddress = { city: 'London', zip: 'W1' };
      const input = { orderId, customerId: 'c1', items, shippingAddress };
      expect((await buyers[0]!.run(placeOrder, { input })).placeOrder!.userErrors).toEqual([]);
    };
    const idsOf = async (buyer: Client) =>
      (await buyer.run(orders, {})).orders!.nodes.map(({ orderId }) => orderId);

    /** Lists that both apis have answered so far, by who did. */
    async function answered(by: string): Promise<number> {
      const pages = await Promise.all(apis.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
      const counts = pages.flatMap((text) =>
        [...text.matchAll(/^replica_reads_total\{([^}]*)\} (\d+)/gm)]
          .filter(([, labels]) => labels!.includes(by))
          .map(([, , count]) => Number(count)),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    }

    it('a post reaches its followers, in their feed and live', async () => {
      const author = await signIn(apis[0]!.url, 'author');
      const reader = await signIn(apis[1]!.url, 'reader');
      await author.run(me, {});
      await reader.run(follow, { userId: 'author' });
      const updates = reader.subscribe(feedUpdated, {});
      const heard = updates.next();
      let isHeard = false;
      void heard.then(() => {
        isHeard = true;
      });
      const posted: string[] = [];
      const postUntilHeard = async (): Promise<boolean> => {
        if (!isHeard) posted.push((await author.run(publish, { content: 'hello' })).publishPost.post!.postId);
        return isHeard;
      };
      await expect.poll(postUntilHeard, { interval: 300, timeout: 30_000 }).toBe(true);
      expect(posted).toContain((await heard).value!.feedUpdated!.postId);
      await updates.return();
      const read = async () => (await reader.run(feed, {})).feed!.edges.map(({ node }) => node!.postId);
      await expect.poll(read, { timeout: 20_000 }).toEqual(expect.arrayContaining(posted.slice(-1)));
    });

    it('a notification is delivered', async () => {
      await buyers[0]!.run(saveAddress, { email: 'buyer@example.com' });
      const template = { templateId: 'hello', notificationType: 'NEW_MESSAGE', channel: 'EMAIL' as const };
      await admin.run(saveTemplate, { input: { ...template, subject: 'Hello', body: 'Hi' } });
      const recipients = [{ userId: 'buyer', channels: ['EMAIL' as const] }];
      const input = {
        notificationId: 'n1',
        type: 'NEW_MESSAGE',
        priority: 'HIGH' as const,
        templateId: 'hello',
        recipients,
      };
      expect((await admin.run(send, { input })).sendNotification.userErrors).toEqual([]);
      const statuses = async () => {
        const { notificationRequest } = await admin.run(requestOf, { notificationId: 'n1' });
        return notificationRequest!.deliveries.nodes.map(({ status }) => status);
      };
      await expect.poll(statuses, { timeout: 30_000 }).toEqual(['DELIVERED']);
    });

    it('an order is placed, and the projections follow', async () => {
      await place('first');
      const { order } = await buyers[1]!.run(orderOf, { orderId: 'first', afterVersion: 0 });
      expect(order).toEqual({ status: 'CONFIRMED' });
      expect(await idsOf(buyers[1]!)).toContain('first');
    });

    it('hundreds of requests at once share the few sessions of the pooler', async () => {
      const asked = Array.from({ length: 300 }, (_, n) => buyers[n % 2]!.run(orderOf, { orderId: 'first' }));
      expect(new Set((await Promise.all(asked)).map(({ order }) => order?.status))).toEqual(
        new Set(['CONFIRMED']),
      );
      const { rows } = await servers.primary.query(
        `SELECT count(*)::int AS sessions FROM pg_stat_activity
       WHERE datname = current_database() AND application_name ~ '^tidings (api|worker)'`,
      );
      expect(rows[0].sessions).toBeLessThanOrEqual(SESSIONS);
    });

    it('a list is answered by the replica, and with the own writes of its reader by the primary while that is paused', async () => {
      const onReplica = async (): Promise<number> => {
        await idsOf(await signIn(apis[0]!.url, 'somebody'));
        return answered('"replica"');
      };
      await expect.poll(onReplica, { timeout: 20_000 }).toBeGreaterThan(0);
      await servers.caughtUp();
      await servers.pause();
      const before = await answered('"own_write"');
      for (let n = 0; n < 5; n += 1) {
        const orderId = `paused-${n}`;
        await place(orderId);
        await buyers[1]!.run(orderOf, { orderId, afterVersion: 0 });
        for (const buyer of buyers) expect(await idsOf(buyer)).toContain(orderId);
        const recipients = [{ userId: 'buyer', channels: ['EMAIL' as const] }];
        const input = {
          notificationId: orderId,
          type: 'NEW_MESSAGE',
          priority: 'HIGH' as const,
          templateId: 'hello',
          recipients,
        };
        await admin.run(send, { input });
        const { notificationRequests } = await admin.run(requests, {});
        expect(notificationRequests!.nodes.map(({ notificationId }) => notificationId)).toContain(orderId);
      }
      expect((await answered('"own_write"')) - before).toBeGreaterThanOrEqual(15);
      await servers.resume();
      const served = await answered('"replica"');
      const again = async (): Promise<number> => {
        expect(await idsOf(buyers[1]!)).toContain('paused-4');
        return answered('"replica"');
      };
      await expect.poll(again, { timeout: 20_000 }).toBeGreaterThan(served);
    });

    it('what was sent over REST is in the list of the next request', async () => {
      await servers.pause();
      const response = await fetch(`${apis[1]!.url}/api/v1/notifications`, {
        method: 'POST',
        headers: { authorization: admin.authorization, 'content-type': 'application/json' },
        body: JSON.stringify({
          notification_id: 'rest',
          type: 'NEW_MESSAGE',
          priority: 'high',
          template_id: 'hello',
          recipients: [{ user_id: 'buyer' }],
        }),
      });
      expect([response.status, await response.text()]).toEqual([202, expect.stringContaining('accepted')]);
      const { notificationRequests } = await admin.run(requests, {});
      expect(notificationRequests!.nodes.map(({ notificationId }) => notificationId)).toContain('rest');
      await servers.resume();
    });
  },
);
