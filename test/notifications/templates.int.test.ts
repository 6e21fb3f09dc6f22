import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TemplateDraft } from '../../src/domains/notifications/templates/check.js';
import {
  admin,
  aRequest,
  aTemplate,
  aUser,
  deliveriesOf,
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

const draft = (own: Partial<TemplateDraft> = {}): TemplateDraft => ({
  notificationType: 'TYPE',
  channel: 'push',
  language: 'en',
  body: 'x',
  activate: true,
  ...own,
});
const faultsOf = async (own: Partial<TemplateDraft>): Promise<string[]> => {
  const saved = await world.notifications.saveTemplate(admin, draft(own));
  return saved.ok ? [] : saved.errors.map(({ code, path }) => `${code} ${path?.slice(1).join('.')}`);
};
/** The push that users get of a request that names this template. */
async function pushesTo(users: readonly string[], templateId: string) {
  const recipients = users.map((userId) => ({ userId, channels: ['push' as const] }));
  const request = aRequest({ templateId, recipients });
  const sent = await world.notifications.send(shop, request);
  if (!sent.ok) return sent.errors.map(({ code }) => code);
  return (await deliveriesOf(world, request.notificationId)).map((one) => one.content?.body);
}
const activeOf = async (type: string): Promise<number[]> => {
  const { rows } = await world.postgres.query<{ version: number }>(
    'SELECT version FROM notification_templates WHERE notification_type = $1 AND is_active',
    [type],
  );
  return rows.map(({ version }) => version);
};

describe('templates', () => {
  it('are chosen by the language of the recipient: pt-BR, then pt, then en', async () => {
    const named = await aTemplate(world, 'push', 'GREETING', { body: 'Hello' });
    await aTemplate(world, 'push', 'GREETING', { body: 'Olá', language: 'pt' });
    const users = await Promise.all(
      ['pt-BR', 'pt', 'de'].map(async (language) => {
        const user = await aUser(world);
        await world.notifications.updateSettings(user.userId, { language });
        return user.userId;
      }),
    );
    expect(await pushesTo(users, named)).toEqual(['Olá', 'Olá', 'Hello']);
    await aTemplate(world, 'push', 'GREETING', { body: 'Oi', language: 'pt-BR' });
    expect(await pushesTo(users, named)).toEqual(['Oi', 'Olá', 'Hello']);
  });

  it('have versions: the newest active one is used, whichever version the request names', async () => {
    const first = await aTemplate(world, 'push', 'VERSIONED', { body: 'one' });
    const second = await aTemplate(world, 'push', 'VERSIONED', { body: 'two' });
    expect(await world.notifications.findTemplate(first)).toMatchObject({ version: 1, isActive: false });
    expect(await world.notifications.findTemplate(second)).toMatchObject({ version: 2, isActive: true });
    const { userId } = await aUser(world);
    expect(await pushesTo([userId], first)).toEqual(['two']);
  });

  it('that are saved for later are not used', async () => {
    const first = await aTemplate(world, 'push', 'LATER', { body: 'one' });
    const second = await aTemplate(world, 'push', 'LATER', { body: 'two', activate: false });
    const { userId } = await aUser(world);
    expect(await pushesTo([userId], second)).toEqual(['one']);
    expect(await world.notifications.findTemplate(first)).toMatchObject({ isActive: true });
  });

  it('keep the active version where a new one takes an id that is taken', async () => {
    const taken = await aTemplate(world, 'push', 'TAKEN');
    const again = draft({ notificationType: 'TAKEN', templateId: taken });
    expect(await world.notifications.saveTemplate(shop, again)).toMatchObject({
      ok: false,
      errors: [{ code: 'TEMPLATE_ID_TAKEN', path: ['input', 'templateId'] }],
    });
    expect(await world.notifications.findTemplate(taken)).toMatchObject({ isActive: true, version: 1 });
  });
});

describe('a version', () => {
  it('is rolled back to, and forward again, by activating it', async () => {
    const type = unique('TYPE');
    const first = await aTemplate(world, 'push', type, { body: 'one' });
    const second = await aTemplate(world, 'push', type, { body: 'two' });
    const { userId } = await aUser(world);
    expect(await world.notifications.templates.activate(first)).toMatchObject({
      ok: true,
      value: { templateId: first, version: 1, isActive: true },
    });
    expect(await pushesTo([userId], second)).toEqual(['one']);
    expect(await world.notifications.templates.activate(first)).toMatchObject({ ok: true });
    expect(await activeOf(type)).toEqual([1]);
    await world.notifications.templates.activate(second);
    expect(await pushesTo([userId], first)).toEqual(['two']);
  });

  it('takes the place of those of its own channel and language alone', async () => {
    const type = unique('TYPE');
    await aTemplate(world, 'sms', type);
    await aTemplate(world, 'push', type, { language: 'de' });
    const first = await aTemplate(world, 'push', type);
    await aTemplate(world, 'push', type);
    await world.notifications.templates.activate(first);
    expect(await activeOf(type)).toHaveLength(3);
  });

  it('that is deactivated leaves its channel without a text until one is activated', async () => {
    const type = unique('TYPE');
    const only = await aTemplate(world, 'push', type, { body: 'one' });
    const { userId } = await aUser(world);
    expect(await pushesTo([userId], only)).toEqual(['one']);
    for (let times = 0; times < 2; times += 1) {
      expect(await world.notifications.templates.deactivate(only)).toMatchObject({
        ok: true,
        value: { templateId: only, isActive: false },
      });
    }
    expect(await pushesTo([userId], only)).toEqual(['NOTHING_TO_SEND']);
    await world.notifications.templates.activate(only);
    expect(await pushesTo([userId], only)).toEqual(['one']);
  });

  it('takes over from the former one without a gap, also where several are saved and activated at once', async () => {
    const type = unique('TYPE');
    const ids = await Promise.all(Array.from({ length: 4 }, () => aTemplate(world, 'push', type)));
    let isOver = false;
    const changes = Promise.all([
      ...ids.map((id) => world.notifications.templates.activate(id)),
      aTemplate(world, 'push', type),
      ...ids.map((id) => world.notifications.templates.activate(id)),
    ]).finally(() => {
      isOver = true;
    });
    while (!isOver) expect(await activeOf(type)).toHaveLength(1);
    await changes;
    expect(await activeOf(type)).toHaveLength(1);
    const { rows } = await world.postgres.query<{ version: number }>(
      'SELECT version FROM notification_templates WHERE notification_type = $1 ORDER BY version',
      [type],
    );
    expect(rows.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
  });

  it('is active with no other, also where some are deactivated at once', async () => {
    const type = unique('TYPE');
    const ids = await Promise.all(Array.from({ length: 4 }, () => aTemplate(world, 'push', type)));
    await Promise.all(
      ids.flatMap((id) => [
        world.notifications.templates.activate(id),
        world.notifications.templates.deactivate(id),
        world.notifications.templates.activate(id),
      ]),
    );
    expect((await activeOf(type)).length).toBeLessThanOrEqual(1);
    await world.notifications.templates.activate(ids[0]!);
    expect(await activeOf(type)).toHaveLength(1);
  });

  it.each(['no-such-template', '', 'nul \0', 'x'.repeat(100)])(
    'that is none is refused: %j',
    async (templateId) => {
      const notFound = { errors: [{ code: 'TEMPLATE_NOT_FOUND', path: ['input', 'templateId'] }] };
      expect(await world.notifications.templates.activate(templateId)).toMatchObject(notFound);
      expect(await world.notifications.templates.deactivate(templateId)).toMatchObject(notFound);
    },
  );
});

describe('a template that cannot be one', () => {
  it('is refused with everything that is wrong with it at once', async () => {
    expect(
      await faultsOf({
        notificationType: 'x'.repeat(65),
        channel: 'sms',
        language: 'english',
        body: ' ',
        title: 'not for sms',
        variables: { count: { type: 'number', default: 'three' } },
      }),
    ).toEqual([
      'TYPE_INVALID notificationType',
      'LANGUAGE_INVALID language',
      'BODY_REQUIRED body',
      'FIELD_NOT_FOR_CHANNEL title',
      'VARIABLES_INVALID variables.count.default',
    ]);
  });

  it.each<[string, Partial<TemplateDraft>, string[]]>([
    ['an id of a NUL', { templateId: 'a\0b' }, ['ID_INVALID templateId']],
    ['a text of 100,001 characters', { body: 'x'.repeat(100_001) }, ['TEXT_INVALID body']],
    ['half a character', { body: '\ud800' }, ['TEXT_INVALID body']],
    [
      'variables that are none',
      { variables: { 'a b': { type: 'string' } } },
      ['VARIABLES_INVALID variables.a b'],
    ],
    [
      'a variable of a strange type',
      { variables: { a: { type: 'date' } } },
      ['VARIABLES_INVALID variables.a.type'],
    ],
    ['a variable of strange members', { variables: { a: { min: 1 } } }, ['VARIABLES_INVALID variables.a']],
    [
      'a default of a NUL',
      { variables: { a: { default: '\0' } } },
      ['VARIABLES_INVALID variables.a.default'],
    ],
    [
      '201 variables',
      { variables: Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`v${n}`, {}])) },
      ['VARIABLES_INVALID variables'],
    ],
    [
      'HTML that a value could leave',
      { channel: 'email', htmlBody: '<a href={{x}}>' },
      ['HTML_UNSAFE htmlBody'],
    ],
    [
      'a link that runs a value',
      { channel: 'email', htmlBody: `<a href="javascript:f('{{x}}')">` },
      ['URL_UNSAFE htmlBody'],
    ],
    [
      'a mail’s fields in a push',
      { subject: 's', htmlBody: 'h' },
      ['subject', 'htmlBody'].map((f) => `FIELD_NOT_FOR_CHANNEL ${f}`),
    ],
  ])('has %s', async (_, own, faults) => {
    expect(await faultsOf(own)).toEqual(faults);
  });

  it('is stored in no part', async () => {
    const notificationType = unique('TYPE');
    await faultsOf({ notificationType, body: '' });
    expect(await activeOf(notificationType)).toEqual([]);
  });
});

it('an in-app text has a title, an image and a link as a push has', async () => {
  const own = { title: 'T', imageUrl: 'https://example.com/i.png', actionUrl: 'shop://orders' };
  const templateId = await aTemplate(world, 'in_app', unique('TYPE'), own);
  expect(await world.notifications.findTemplate(templateId)).toMatchObject({ channel: 'in_app', ...own });
});
