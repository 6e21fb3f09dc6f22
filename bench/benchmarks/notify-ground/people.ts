import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { PostgresServer } from '../../harness/postgres-server.ts';

export const priorities = ['high', 'medium', 'low'] as const;
export type Priority = (typeof priorities)[number];

/**
 * A type of each default priority. PASSWORD_RESET is exempt from limits; of the others a user gets 30 an hour, and
 * each is counted.
 */
export const types: Readonly<Record<Priority, string>> = {
  high: 'PASSWORD_RESET',
  medium: 'NEW_MESSAGE',
  low: 'WEEKLY_DIGEST',
};

export const userIdOf = (n: number): string => `reader-${n}`;

/** As long as Apple's are. */
export const deviceTokenOf = (n: number): string => hash('sha256', `phone-${n}`);

const variablesOf = (n: number) => ({ name: `Reader ${n}`, text: 'Are you coming to the station at eight?' });

/** What a template makes of them. */
export function contentFor(n: number): { readonly title: string; readonly body: string } {
  const { name, text } = variablesOf(n);
  return { title: `For ${name}`, body: `Hello ${name}: ${text}` };
}

const templateIdOf = (priority: Priority): string => `${priority}.push.en`;

/** Where notifications are sent to. */
export const path = '/api/v1/notifications';

/** The body of one request: a push to each of these people, by one template with two variables. */
export function requestBody(
  notificationId: string,
  priority: Priority,
  firstPerson: number,
  people: number,
): string {
  return JSON.stringify({
    notification_id: notificationId,
    type: types[priority],
    template_id: templateIdOf(priority),
    recipients: Array.from({ length: people }, (_, n) => ({
      user_id: userIdOf(firstPerson + n),
      channels: ['push'],
      variables: variablesOf(firstPerson + n),
    })),
  });
}

/** Of requests that come at a pace: 40 % high, 40 % medium, 20 % low. */
const turns: readonly Priority[] = ['high', 'medium', 'high', 'medium', 'low'];

/** The n-th of them, and what it is. */
export const pacedId = (n: number): string => `paced-${n}`;
export const pacedPriority = (n: number): Priority => turns[n % turns.length]!;

/**
 * Makes `count` people with a phone each, a template of each type, and a past: a service that has run for a while has
 * tables whose sizes Postgres knows. On empty ones it plans for no rows, keeps those plans, and reads what is written
 * meanwhile from end to end, until autovacuum looks at the tables a minute later.
 */
export async function foundPeople(server: PostgresServer, database: string, count: number): Promise<void> {
  await server.run(
    `INSERT INTO user_devices (user_id, device_id, platform, device_token)
     SELECT 'reader-' || n, 'phone-' || n, 'ios', encode(sha256(convert_to('phone-' || n, 'UTF8')), 'hex')
     FROM generate_series(0, ${count - 1}) AS n`,
    database,
  );
  const variables = { name: { type: 'string', required: true }, text: { type: 'string', required: true } };
  for (const priority of priorities) {
    await server.run(
      `INSERT INTO notification_templates (template_id, notification_type, channel, title, body, variables)
       VALUES ('${templateIdOf(priority)}', '${types[priority]}', 'push', 'For {{name}}', 'Hello {{name}}: {{text}}',
               '${JSON.stringify(variables)}')`,
      database,
    );
  }
  await server.run(await readFile(new URL('./history.sql', import.meta.url), 'utf8'), database);
  await server.run('VACUUM ANALYZE', database);
}
