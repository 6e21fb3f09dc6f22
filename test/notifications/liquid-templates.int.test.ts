import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TemplateDraft } from '../../src/domains/notifications/templates/check.js';
import { systemClock } from '../../src/platform/clock.js';
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
  until,
} from './notification-world.js';
import { type ApiOnTest, openApi } from './with-api.js';
import { HeldClock } from './with-sandbox.js';

let world: NotificationWorld;
let api: ApiOnTest;
let clock: HeldClock;

beforeAll(async () => {
  clock = new HeldClock();
  world = await openNotificationWorld(clock);
  api = await openApi(world.notifications, systemClock);
});
afterAll(async () => {
  await api.close();
  await world.close();
});

const items = [
  { title: 'Mug <1>', url: 'https://shop.example/mug?a=1&b=2' },
  { title: 'Pot', url: null },
];
const list = {
  syntax: 'LIQUID',
  htmlBody:
    '<ul>{% for item in items %}<li>{% if item.url %}<a href="{{ item.url }}">{{ item.title }}</a>{% else %}{{ item.title }}{% endif %}</li>{% endfor %}</ul>',
  body: '{% for item in items %}{{ item.title }}\n{% endfor %}{{ at | date: "%R" }}',
  variables: { items: { type: 'list', required: true } },
} as const satisfies Partial<TemplateDraft>;
const html = '<ul><li><a href="https://shop.example/mug?a=1&amp;b=2">Mug &lt;1&gt;</a></li><li>Pot</li></ul>';

const contentsOf = async (notificationId: string) =>
  (await deliveriesOf(world, notificationId)).map(({ channel, content }) => [channel, content]);

describe('a Liquid template', () => {
  it('is sent with lists, in the zone of each reader, beside the plain ones of its type', async () => {
    const type = unique('ITEMS');
    await aTemplate(world, 'push', type, { body: '{{count}} new{% if %}' });
    const templateId = await aTemplate(world, 'email', type, list);
    expect(await world.notifications.findTemplate(templateId)).toMatchObject({ syntax: 'LIQUID' });
    const { userId } = await aUser(world);
    await world.notifications.updateSettings(userId, { timezone: 'Asia/Kolkata' });
    const variables = { items, count: 2, at: '2026-11-26T10:00:00Z' };
    const request = aRequest({
      templateId,
      recipients: [{ userId, channels: ['push', 'email'], variables }],
    });
    expect(await world.notifications.send(shop, request)).toMatchObject({ ok: true });
    expect(await contentsOf(request.notificationId)).toEqual([
      ['push', { body: '2 new{% if %}' }],
      ['email', { body: 'Mug <1>\nPot\n15:30', htmlBody: html }],
    ]);
  });

  it('keeps the lists of what is scheduled until its time', async () => {
    const templateId = await aTemplate(world, 'email', unique('ITEMS'), list);
    const { userId } = await aUser(world);
    const recipients = [{ userId, channels: ['email' as const], variables: { items } }];
    const scheduleAt = new Date(clock.now() + 3_600_000);
    const request = aRequest({ templateId, recipients, scheduleAt });
    expect(await world.notifications.send(shop, request)).toMatchObject({ ok: true });
    clock.forward(3_601);
    const worker = world.work({ providers: { close: async () => undefined }, random: () => 0 });
    try {
      await worker.run('notifications.release');
      const sent = await until(async () => (await contentsOf(request.notificationId))[0]?.[1]);
      expect(sent).toMatchObject({ htmlBody: html });
    } finally {
      await worker.close();
    }
  });

  it('refuses variables of other types, and those of plain types are refused as ever', async () => {
    const liquid = await aTemplate(world, 'email', unique('ITEMS'), list);
    const plain = await aTemplate(world, 'email', unique('PLAIN'), { body: 'Hello' });
    const { userId } = await aUser(world);
    const faults = async (templateId: string, variables: Record<string, unknown>) => {
      const recipients = [{ userId, channels: ['email' as const], variables }];
      const sent = await world.notifications.send(shop, aRequest({ templateId, recipients }));
      return sent.ok ? [] : sent.errors.map(({ code, path }) => `${code} ${path?.slice(4).join('.')}`);
    };
    expect(await faults(liquid, { items: 'Mug' })).toEqual(['VARIABLE_TYPE items']);
    expect(await faults(liquid, { items: [[1]] })).toEqual(['VARIABLE_INVALID items']);
    expect(await faults(liquid, { items: [{ a: { b: 1 } }] })).toEqual(['VARIABLE_INVALID items']);
    expect(await faults(liquid, { items: Array.from({ length: 101 }, () => 1) })).toEqual([
      'VARIABLE_INVALID items',
    ]);
    expect(await faults(liquid, { items: [new Date()] })).toEqual(['VARIABLE_INVALID items']);
    expect(await faults(plain, { items })).toEqual(['VARIABLE_INVALID items']);
    expect(await faults(plain, { yes: true })).toEqual(['VARIABLE_INVALID yes']);
  });

  it('makes not more work for one request than some tenths of a second', async () => {
    const body =
      '{% for a in items %}{% for b in items %}{% if a == b %}{% endif %}{% endfor %}{% endfor %}x';
    const templateId = await aTemplate(world, 'in_app', unique('WORK'), { syntax: 'LIQUID', body });
    const numbers = Array.from({ length: 100 }, (_, n) => n);
    const recipients = Array.from({ length: 1_000 }, (_, n) => ({
      userId: `reader-${n}`,
      channels: ['in_app' as const],
      variables: { items: numbers },
    }));
    const refusalOf = async (some: typeof recipients) => {
      const sent = await world.notifications.send(shop, aRequest({ templateId, recipients: some }));
      return sent.ok ? [] : sent.errors.map(({ code }) => code);
    };
    expect(await refusalOf(recipients)).toEqual(['RENDERED_TOO_LARGE']);
    expect(await refusalOf(recipients.slice(0, 10))).toEqual([]);
  });
});

describe('a partial', () => {
  it('is not sent by itself, to nobody, by no campaign and in no trial', async () => {
    const templateId = await aTemplate(world, 'push', `partial:${unique('alone')}`, {
      syntax: 'LIQUID',
      body: 'the end',
    });
    const { userId } = await aUser(world);
    const recipients = [{ userId, channels: ['push' as const] }];
    const refusal = { ok: false, errors: [{ code: 'TEMPLATE_NOT_FOUND', path: ['input', 'templateId'] }] };
    expect(await world.notifications.send(shop, aRequest({ templateId, recipients }))).toMatchObject(refusal);
    const batch = { batchId: unique('b'), templateId, segment: { filter: 'followerCount >= 0' } };
    expect(await world.notifications.campaigns.send(shop, batch)).toMatchObject(refusal);
    const trial = { templateId, userId, channel: 'push' as const, variables: {} };
    expect(await world.notifications.templates.sendTest(admin, trial)).toMatchObject(refusal);
  });

  it('is what its active version says, from the next notification on', async () => {
    const name = unique('footer');
    const partial = (body: string, own: Partial<TemplateDraft> = {}) =>
      aTemplate(world, 'push', `partial:${name}`, { syntax: 'LIQUID', body, ...own });
    const first = await partial('-- {{ shop }}');
    const templateId = await aTemplate(world, 'push', unique('SIGNED'), {
      syntax: 'LIQUID',
      body: 'Hi {% render "NAME", shop: "Mugs & more" %}'.replace('NAME', name),
      language: 'de-AT',
    });
    const { userId } = await aUser(world);
    await world.notifications.updateSettings(userId, { language: 'de-AT' });
    const sent = async () => {
      const request = aRequest({ templateId, recipients: [{ userId, channels: ['push'] }] });
      const result = await world.notifications.send(shop, request);
      if (!result.ok) return result.errors.map(({ code }) => code);
      return (await contentsOf(request.notificationId)).map(
        ([, content]) => (content as { body: string }).body,
      );
    };
    expect(await sent()).toEqual(['Hi -- Mugs & more']);
    await partial('~ {{ shop }}');
    expect(await sent()).toEqual(['Hi ~ Mugs & more']);
    await partial('Ihr {{ shop }}', { language: 'de' });
    expect(await sent()).toEqual(['Hi Ihr Mugs & more']);
    await world.notifications.templates.activate(first);
    expect(await sent()).toEqual(['Hi Ihr Mugs & more']);
  });

  it('that is missing, or renders itself, is refused when it is saved; one that is gone later, when it is sent', async () => {
    const [a, b] = [unique('a'), unique('b')];
    const save = async (type: string, body: string) => {
      const own = {
        notificationType: type,
        channel: 'sms',
        language: 'en',
        body,
        syntax: 'LIQUID',
        activate: true,
      } as const;
      const saved = await world.notifications.saveTemplate(admin, own);
      return saved.ok
        ? saved.value.templateId
        : saved.errors.map(({ code, message }) => `${code}: ${message}`);
    };
    expect(await save(`partial:${a}`, `{% render "${b}" %}`)).toEqual([
      `TEMPLATE_SYNTAX: there is no active partial ${b} for this field (line 1, column 1)`,
    ]);
    const last = await save(`partial:${b}`, 'the end');
    await save(`partial:${a}`, `{% render "${b}" %}`);
    const templateId = await save(unique('T'), `Hi {% render "${a}" %}`);
    const looped = await world.notifications.templates.preview({
      templateId: String(templateId),
      variables: {},
    });
    expect(looped).toMatchObject({ ok: true, value: { body: 'Hi the end' } });
    // Either alone is fine: together they would go round and round.
    expect(await save(`partial:${b}`, `{% render "${a}" %}`)).toEqual([
      `TEMPLATE_SYNTAX: partial ${b} renders itself (partial ${a}, line 1, column 1)`,
    ]);
    await world.notifications.templates.deactivate(String(last));
    const preview = await world.notifications.templates.preview({
      templateId: String(templateId),
      variables: {},
    });
    expect(preview).toMatchObject({ errors: [{ code: 'TEMPLATE_SYNTAX', path: ['input', 'variables'] }] });
  });
});

describe('over GraphQL', () => {
  it('a draft is previewed, and its faults have a line and a column', async () => {
    const preview = async (own: object, variables: object) => {
      const draft = { notificationType: 'T', channel: 'EMAIL', body: 'b', syntax: 'LIQUID', ...own };
      const query = `query ($input: PreviewTemplateInput!) { previewTemplate(input: $input) {
        content { htmlBody } userErrors { code message path } } }`;
      const { data } = await api.graphql('root', query, { input: { draft, variables } }, 'admin');
      return data.previewTemplate as unknown as { content: object; userErrors: object[] };
    };
    expect(await preview({ htmlBody: list.htmlBody }, { items })).toEqual({
      content: { htmlBody: html },
      userErrors: [],
    });
    const broken = await preview({ htmlBody: '<p>\n{% if a %}' }, {});
    expect(broken.userErrors).toEqual([
      {
        code: 'TEMPLATE_SYNTAX',
        message: 'if does not end: endif is missing (line 2, column 1)',
        path: ['input', 'draft', 'htmlBody'],
      },
    ]);
    const endless = await preview({ body: '{% for i in (1..n) %}{% endfor %}' }, { n: 1e9 });
    expect(endless.userErrors).toMatchObject([{ code: 'TEMPLATE_LIMIT', path: ['input', 'variables'] }]);
  });

  it('says what a template is written in: PLAIN unless it was saved as LIQUID', async () => {
    const save = async (syntax: string) => {
      const query = `mutation { saveTemplate(input: { notificationType: "${unique('T')}", channel: SMS, body: "{% if %}x"${syntax} }) {
        template { syntax body } userErrors { code } } }`;
      return (await api.graphql('root', query, {}, 'admin')).data.saveTemplate;
    };
    const plain = { template: { syntax: 'PLAIN', body: '{% if %}x' }, userErrors: [] };
    expect(await save('')).toEqual(plain);
    expect(await save(', syntax: PLAIN')).toEqual(plain);
    expect(await save(', syntax: LIQUID')).toEqual({
      template: null,
      userErrors: [{ code: 'TEMPLATE_SYNTAX' }],
    });
  });
});
