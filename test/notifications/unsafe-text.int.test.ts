import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  admin,
  aRequest,
  aTemplate,
  aUser,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  unique,
} from './notification-world.js';

let world: NotificationWorld;

beforeAll(async () => {
  world = await openNotificationWorld();
});
afterAll(() => world.close());

const stored = async (): Promise<number> => {
  const { rows } = await world.postgres.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM deliveries',
  );
  return rows[0]!.count;
};

describe('a text that must not be sent', () => {
  it('refuses the request, and says of which recipient and field', async () => {
    const linked = await aTemplate(world, 'push', 'LINKED', {
      body: '{{text}}{{text}}',
      actionUrl: '{{url}}',
    });
    const [ann, bob] = await Promise.all([aUser(world), aUser(world)]);
    const to = (userId: string, variables: Record<string, string>) => ({
      userId,
      channels: ['push' as const],
      variables,
    });
    const before = await stored();
    const recipients = [
      to(ann.userId, { text: '&'.repeat(60_000), url: 'shop://orders' }),
      to(bob.userId, { text: 'Hi', url: 'javascript:alert(1)' }),
    ];
    expect(await world.notifications.send(shop, aRequest({ templateId: linked, recipients }))).toMatchObject({
      ok: false,
      errors: [
        { code: 'TEXT_TOO_LONG', path: ['input', 'recipients', '0', 'variables'] },
        { code: 'URL_UNSAFE', path: ['input', 'recipients', '1', 'variables'] },
      ],
    });
    expect(await stored()).toBe(before);
  });

  it('is not saved in a template either', async () => {
    const saved = await world.notifications.saveTemplate(admin, {
      notificationType: 'BAD',
      channel: 'push',
      language: 'en',
      title: 'a\r\nb',
      body: 'fine\nhere',
      actionUrl: 'javascript:{{x}}',
      activate: true,
    });
    expect(saved).toMatchObject({
      errors: [
        { code: 'TEXT_INVALID', path: ['input', 'title'] },
        { code: 'URL_UNSAFE', path: ['input', 'actionUrl'] },
      ],
    });
  });

  it('nor are addresses with line breaks', async () => {
    for (const email of ['a@example.com\r\nBcc: b@example.com', 'a@example.com\n', 'a\0@example.com']) {
      expect(await world.notifications.updateSettings(unique('user'), { email })).toMatchObject({
        errors: [{ code: 'EMAIL_INVALID' }],
      });
    }
  });
});
