import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { signToken } from '../../src/platform/auth/auth.js';
import type { Queryable } from '../../src/platform/postgres/postgres.js';
import { testAuthSecret } from '../support/processes.js';

/** What is written, and what an answer that acknowledges it looks like. */
type Kind = 'post' | 'order' | 'deposit' | 'notification';

/** What came of everything that was sent. */
export interface Tally {
  /** The ids of what was acknowledged, by kind. */
  readonly acknowledged: Readonly<Record<Kind, string[]>>;
  /** Answers that say neither yes nor SERVICE_UNAVAILABLE; and connections that broke. */
  readonly oddities: string[];
  refused: number;
}

const ACCOUNT = 'load-account';
const PRODUCT = 'load-product';
const CUSTOMER = 'load-customer';

const documents = {
  register: `mutation ($id: ID!) { registerCustomer(input: { customerId: $id, userId: "writer", firstName: "A", lastName: "B", email: "a@example.com", creditLimit: "1000000000" }) { userErrors { code } } }`,
  save: `mutation ($id: ID!) { saveProduct(input: { productId: $id, name: "P", unitPrice: "1.00", inStock: 1000000 }) { userErrors { code } } }`,
  open: `mutation ($id: ID!) { createAccount(input: { accountId: $id }) { userErrors { code } } }`,
  template: `mutation { saveTemplate(input: { templateId: "load", notificationType: "LOAD", channel: PUSH, body: "Hello" }) { userErrors { code } } }`,
  post: `mutation ($id: String!) { publishPost(input: { content: $id, idempotencyKey: $id }) { post { postId } userErrors { code } } }`,
  order: `mutation ($id: ID!) { placeOrder(input: { orderId: $id, customerId: "${CUSTOMER}", items: [{ productId: "${PRODUCT}", quantity: 1, price: "1.00" }], shippingAddress: { city: "London", zip: "W1" } }) { aggregateId userErrors { code } } }`,
  deposit: `mutation ($id: ID!) { deposit(input: { accountId: "${ACCOUNT}", amount: "1.00", commandId: $id }) { version userErrors { code } } }`,
} as const;

interface GraphQLAnswer {
  readonly data?: Readonly<
    Record<string, { readonly userErrors: readonly { readonly code: string }[] } | null>
  >;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

/**
 * The one other refusal: an api that stood still for seconds, as while its emitters are listed, gave its counters up, and
 * limits that must hold refuse without them.
 */
const wasStopped = ({ status }: Response, text: string): boolean =>
  status === 429 && /The counters of the limit [^"]* cannot be reached/.test(text);

/** Posts, orders, deposits and notifications, sent without pause to several apis by turns. */
export async function openLoad(urls: readonly string[]) {
  const sign = async (userId: string, roles: ('user' | 'producer' | 'admin')[]) =>
    `Bearer ${await signToken(testAuthSecret, { userId, roles, plan: 'free', expiresInSeconds: 3_600 })}`;
  const [writer, admin] = await Promise.all([
    sign('writer', ['user', 'producer']),
    sign('root', ['user', 'admin']),
  ]);
  const tally: Tally = {
    acknowledged: { post: [], order: [], deposit: [], notification: [] },
    oddities: [],
    refused: 0,
  };

  const send = (url: string, authorization: string, body: object): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });

  async function prepare(postgres: Queryable): Promise<void> {
    await postgres.query(
      `INSERT INTO user_devices (user_id, device_id, platform, device_token) VALUES ('writer', 'phone', 'ios', md5('1'))`,
    );
    const steps = [
      [admin, documents.register, { id: CUSTOMER }],
      [admin, documents.save, { id: PRODUCT }],
      [writer, documents.open, { id: ACCOUNT }],
      [admin, documents.template, {}],
    ] as const;
    for (const [authorization, query, variables] of steps) {
      const answer = await send(`${urls[0]}/graphql`, authorization, { query, variables });
      const text = await answer.text();
      if (!text.includes('"userErrors":[]')) throw new Error(text);
    }
  }

  async function sendOne(kind: Kind, url: string): Promise<void> {
    const id = randomUUID();
    try {
      if (kind === 'notification') await notify(id, url);
      else await write(kind, id, url);
    } catch (error) {
      tally.oddities.push(`${kind}: ${error instanceof Error ? error.message : error}`);
    }
  }

  async function notify(id: string, url: string): Promise<void> {
    const answer = await send(`${url}/api/v1/notifications`, writer, {
      notification_id: id,
      // Urgent: no quota of its recipient's stands against it.
      type: 'PASSWORD_RESET',
      priority: 'high',
      template_id: 'load',
      recipients: [{ user_id: 'writer', channels: ['push'] }],
    });
    const text = await answer.text();
    if (answer.status === 202) tally.acknowledged.notification.push(id);
    else if (answer.status === 503 && answer.headers.has('retry-after')) tally.refused += 1;
    else if (wasStopped(answer, text)) tally.refused += 1;
    else tally.oddities.push(`notification: ${answer.status} ${text}`);
  }

  async function write(kind: 'post' | 'order' | 'deposit', id: string, url: string): Promise<void> {
    const answer = await send(`${url}/graphql`, writer, { query: documents[kind], variables: { id } });
    const text = await answer.text();
    const { data, errors } = JSON.parse(text) as GraphQLAnswer;
    const payload = Object.values(data ?? {})[0];
    if (payload?.userErrors.length === 0) tally.acknowledged[kind].push(id);
    else if (errors?.every(({ extensions: { code } }) => code === 'SERVICE_UNAVAILABLE')) tally.refused += 1;
    else if (wasStopped(answer, text)) tally.refused += 1;
    else tally.oddities.push(`${kind}: ${answer.status} ${text}`);
  }

  return {
    tally,
    prepare,
    /** Sends with `writers` of each kind until `isOver`. */
    async run(writers: number, isOver: () => boolean): Promise<void> {
      const kinds: Kind[] = ['post', 'order', 'deposit', 'notification'];
      const loops = kinds.flatMap((kind) =>
        Array.from({ length: writers }, async (_, writerNumber) => {
          for (let n = writerNumber; !isOver(); n += 1) {
            await sendOne(kind, urls[n % urls.length]!);
            await pause(5);
          }
        }),
      );
      await Promise.all(loops);
    },
    /** Sends so many of each kind, one after the other. */
    async some(count: number): Promise<void> {
      for (let n = 0; n < count; n += 1) {
        const kinds: Kind[] = ['post', 'order', 'deposit', 'notification'];
        await Promise.all(kinds.map((kind) => sendOne(kind, urls[n % urls.length]!)));
      }
    },
    /** What was acknowledged and is in no table that it should be in, projections included. */
    async missing(postgres: Queryable): Promise<string[]> {
      const { acknowledged } = tally;
      const stored = async (statement: string): Promise<ReadonlySet<string>> =>
        new Set((await postgres.query<{ id: string }>(statement)).rows.map(({ id }) => id));
      const found = {
        post: await stored('SELECT content AS id FROM posts'),
        order: await stored('SELECT order_id AS id FROM orders'),
        deposit: await stored(`SELECT substring(command_id FROM '[0-9a-f-]{36}') AS id FROM commands`),
        notification: await stored('SELECT notification_id AS id FROM notification_requests'),
      };
      const kinds = Object.keys(found) as Kind[];
      return kinds.flatMap((kind) =>
        acknowledged[kind].filter((id) => !found[kind].has(id)).map((id) => `${kind} ${id}`),
      );
    },
    /** How many deposits of 1.00 the log has, and how many the account's balance has. */
    async deposits(postgres: Queryable): Promise<{ logged: number; projected: number }> {
      const { rows } = await postgres.query<{ logged: number; projected: number }>(
        `SELECT (SELECT count(*)::int FROM events WHERE event_type = 'MoneyDeposited') AS logged,
           (SELECT balance::int / 100 FROM accounts WHERE account_id = '${ACCOUNT}') AS projected`,
      );
      return rows[0]!;
    },
  };
}
