import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { signToken } from '../../src/platform/auth/auth.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startApi, startWorker, type TestProcess, testAuthSecret } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { test } from './support/browser.js';

const NOTIFICATIONS = 10_000;
const A_REQUEST = 1_000;

// Of its own: so many deliveries would be in every figure of the server that the other tests share.
let database: TestDatabase;
let redis: TestRedis;
let api: TestProcess;
let worker: TestProcess;
beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
  const servers = { databaseUrl: database.url, redisUrl: redis.url };
  // The worker makes the index in which the list is found.
  [api, worker] = await Promise.all([startApi(servers), startWorker(servers)]);
  await ask(TEMPLATE);
  for (let sent = 0; sent < NOTIFICATIONS; sent += A_REQUEST) {
    const recipients = Array.from({ length: A_REQUEST }, (_, n) => ({
      userId: `user-${sent + n}`,
      channels: ['IN_APP'],
    }));
    await ask(SEND, { notificationId: `of-many-${sent}`, recipients });
  }
  for (const userId of ['user-0', `user-${NOTIFICATIONS - 1}`])
    await vi.waitFor(
      async () => expect(await ask(FIND, { userId })).toMatchObject({ searchDeliveries: { edges: [{}] } }),
      { timeout: 300_000, interval: 500 },
    );
});
afterAll(async () => {
  await Promise.all([api.kill('SIGKILL'), worker.kill('SIGKILL')]);
  await Promise.all([database.drop(), redis.stop()]);
});

describe('a list of 10,000 notifications', () => {
  test('has few of them in the document while all of them are scrolled through', {
    timeout: 900_000,
  }, async ({ open }) => {
    const page = await open('/console/notifications', { as: 'root', url: api.url });
    await page.locator('[data-index]').first().waitFor();
    await page.evaluate(`
      window.mostRows = 0;
      window.seen = new Set();
      window.look = () => {
        const rows = document.querySelectorAll('[data-index]');
        window.mostRows = Math.max(window.mostRows, rows.length);
        for (const row of rows) window.seen.add(row.dataset.index);
        if (!window.isOver) requestAnimationFrame(window.look);
      };
      window.look();
    `);
    const last = page.locator(`[data-index="${NOTIFICATIONS - 1}"]`);
    while ((await last.count()) === 0) {
      await page.mouse.wheel(0, 1_000);
      await page.evaluate('new Promise(requestAnimationFrame)');
    }
    await page.getByText('That is all').waitFor();
    expect(await page.evaluate('window.seen.size')).toBe(NOTIFICATIONS);
    expect(await page.evaluate('window.mostRows')).toBeLessThan(100);
    await page.evaluate('window.isOver = true; window.scrollTo(0, 0)');
    await page.locator('[data-index="0"]').waitFor();
  });
});

async function ask(query: string, variables: object = {}): Promise<unknown> {
  const roles = ['user', 'producer', 'admin'] as const;
  const token = await signToken(testAuthSecret, {
    userId: 'root',
    roles,
    plan: 'pro',
    expiresInSeconds: 3_600,
  });
  const answer = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await answer.json()) as { data?: Record<string, unknown>; errors?: unknown };
  expect(errors).toBeUndefined();
  for (const payload of Object.values(data ?? {}) as { userErrors?: unknown }[])
    expect(payload.userErrors ?? []).toEqual([]);
  return data;
}

const FIND = `query ($userId: ID!) {
  searchDeliveries(filter: { userId: $userId }, first: 1) { edges { node { id } } }
}`;

const TEMPLATE = `mutation {
  saveTemplate(input: { templateId: "many.inapp.en", notificationType: "MANY", channel: IN_APP, title: "One of many", body: "Hello" }) {
    userErrors { code message }
  }
}`;

const SEND = `mutation ($notificationId: ID!, $recipients: [RecipientInput!]!) {
  sendNotification(
    input: { notificationId: $notificationId, type: "MANY", templateId: "many.inapp.en", recipients: $recipients }
  ) { userErrors { code message } }
}`;
