import { setTimeout as pause } from 'node:timers/promises';
import { loadProduct } from '../../harness/product.ts';
import { productEnvironment } from '../../harness/product-app.ts';

const A_REQUEST = 1_000;

/** A token of an admin who may also send. */
export async function adminToken(): Promise<string> {
  const { signToken } =
    await loadProduct<typeof import('../../../src/platform/auth/auth.js')>('platform/auth/auth.js');
  return signToken(productEnvironment('', '').AUTH_SECRET!, {
    userId: 'root',
    roles: ['user', 'producer', 'admin'],
    plan: 'enterprise',
    expiresInSeconds: 86_400,
  });
}

/** Has an api accept so many notifications. */
export async function fill(url: string, token: string, count: number): Promise<void> {
  await ask(url, token, TEMPLATE, {});
  for (let sent = 0; sent < count; sent += A_REQUEST) {
    const recipients = Array.from({ length: Math.min(A_REQUEST, count - sent) }, (_, n) => ({
      userId: `reader-${sent + n}`,
      channels: ['IN_APP'],
      variables: { name: `Reader ${sent + n}` },
    }));
    await ask(url, token, SEND, { notificationId: `many-${sent}`, recipients });
  }
  // The index follows in the order of acceptance.
  for (const userId of ['reader-0', `reader-${count - 1}`])
    while (!(await ask(url, token, FIND, { userId })).includes(userId)) await pause(200);
}

async function ask(url: string, token: string, query: string, variables: object): Promise<string> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  });
  const text = await response.text();
  const { data } = JSON.parse(text) as { data?: Record<string, { userErrors?: unknown[] }> };
  if (!data || Object.values(data).some(({ userErrors = [] }) => userErrors.length > 0))
    throw new Error(text);
  return text;
}

const FIND = `query ($userId: ID!) {
  searchDeliveries(filter: { userId: $userId }, first: 1) { edges { node { userId } } }
}`;

const TEMPLATE = `mutation {
  saveTemplate(input: {
    templateId: "many.in-app.en", notificationType: "MANY", channel: IN_APP, title: "For {{name}}"
    body: "Are you coming to the station at eight?", variables: { name: { type: "string", required: true } }
  }) { userErrors { code message } }
}`;

const SEND = `mutation ($notificationId: ID!, $recipients: [RecipientInput!]!) {
  sendNotification(
    input: { notificationId: $notificationId, type: "MANY", templateId: "many.in-app.en", recipients: $recipients }
  ) { userErrors { code message } }
}`;
