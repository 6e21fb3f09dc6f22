import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.js';
import {
  admin,
  aTemplate,
  aUser,
  type NotificationWorld,
  openNotificationWorld,
  unique,
} from './notification-world.js';
import { type ApiOnTest, openApi } from './with-api.js';

let world: NotificationWorld;
let api: ApiOnTest;

beforeAll(async () => {
  world = await openNotificationWorld();
  api = await openApi(world.notifications, systemClock);
});
afterAll(async () => {
  await api.close();
  await world.close();
});

const content = 'title subject body htmlBody imageUrl actionUrl';
interface Preview {
  readonly content: Record<string, string | null> | null;
  readonly userErrors: readonly { code: string; message: string; path: readonly string[] }[];
}
async function preview(input: object): Promise<Preview> {
  const { data } = await api.graphql(
    'root',
    `query ($input: PreviewTemplateInput!) { previewTemplate(input: $input) {
       content { ${content} } userErrors { code message path } } }`,
    { input },
    'admin',
  );
  return data.previewTemplate as unknown as Preview;
}
const faultsOf = async (input: object): Promise<string[]> => {
  const { content: shown, userErrors } = await preview(input);
  expect(shown).toBeNull();
  return userErrors.map(({ code, path }) => `${code} ${path.join('.')}`);
};
const bodyOf = async (input: object): Promise<string | null | undefined> =>
  (await preview(input)).content?.body;

interface Sent {
  readonly requestId: string | null;
  readonly notificationsQueued: number | null;
  readonly suppressed: readonly { readonly reason: string }[];
  readonly userErrors: readonly { readonly code: string; readonly path: readonly string[] }[];
}
async function sendTest(input: object): Promise<Sent> {
  const { data } = await api.graphql(
    'root',
    `mutation ($input: SendTestNotificationInput!) { sendTestNotification(input: $input) {
       requestId notificationsQueued suppressed { reason } userErrors { code message path } } }`,
    { input },
    'admin',
  );
  return data.sendTestNotification as unknown as Sent;
}
async function contentsOf(requestId: string | null) {
  const forward = { limit: 10, direction: 'forward', cursor: null } as const;
  const { edges } = await world.notifications.deliveriesOfRequest(requestId!, forward);
  return edges.map(({ node }) => [node.channel, node.content]);
}

const mail = {
  subject: 'Hello {{name}}',
  body: '{{name}}, {{count}} new',
  htmlBody: '<a href="{{url}}" title="{{name}}">{{name}}</a>{{unknown}}',
  actionUrl: 'https://example.com/{{count}}',
  variables: {
    name: { type: 'string', required: true },
    count: { type: 'number', default: 3 },
    url: { type: 'string', default: 'https://example.com/?a=1&b=2' },
  },
};

describe('a preview', () => {
  it('is what a test notification then brings', async () => {
    const templateId = await aTemplate(world, 'email', unique('MAIL'), { ...mail, activate: false });
    const variables = { name: 'Ann "<&>"' };
    const shown = await preview({ templateId, variables });
    expect(shown).toEqual({
      content: {
        title: null,
        imageUrl: null,
        subject: 'Hello Ann "<&>"',
        body: 'Ann "<&>", 3 new',
        htmlBody:
          '<a href="https://example.com/?a=1&amp;b=2" title="Ann &quot;&lt;&amp;&gt;&quot;">Ann "&lt;&amp;&gt;"</a>',
        actionUrl: 'https://example.com/3',
      },
      userErrors: [],
    });
    const { userId } = await aUser(world);
    const sent = await sendTest({ templateId, userId, channel: 'EMAIL', variables });
    expect(sent).toMatchObject({ notificationsQueued: 1, suppressed: [], userErrors: [] });
    const { title: _, imageUrl: __, ...fields } = shown.content!;
    expect(await contentsOf(sent.requestId)).toEqual([['email', fields]]);
  });

  it('of a draft needs nothing stored, and stores nothing', async () => {
    const notificationType = unique('DRAFT');
    const draft = { notificationType, channel: 'PUSH', title: '{{a}}', body: '{{a}}{{b}}' };
    expect(await preview({ draft, variables: { a: '{{b}}', b: 1 } })).toMatchObject({
      content: { title: '{{b}}', body: '{{b}}1' },
      userErrors: [],
    });
    expect(await world.notifications.findActiveTemplate(notificationType)).toBeNull();
  });

  it('in a language is what a reader of it would get if the template were active', async () => {
    const type = unique('TYPE');
    const english = await aTemplate(world, 'push', type, { body: 'en 1' });
    await aTemplate(world, 'push', type, { body: 'en 2' });
    await aTemplate(world, 'push', type, { body: 'de 1', language: 'de' });
    await aTemplate(world, 'sms', type, { body: 'fr', language: 'fr' });
    const next = await aTemplate(world, 'push', type, { body: 'de 2', language: 'de', activate: false });
    const of = (templateId: string, language?: string) => bodyOf({ templateId, language, variables: {} });
    expect([await of(english), await of(english, 'en'), await of(english, 'fr')]).toEqual([
      'en 1',
      'en 1',
      'en 1',
    ]);
    expect([await of(english, 'de'), await of(english, 'de-AT')]).toEqual(['de 1', 'de 1']);
    expect([await of(next), await of(next, 'de-AT'), await of(next, 'pt')]).toEqual(['de 2', 'de 2', 'en 2']);
    const draft = { notificationType: type, channel: 'PUSH', language: 'pt', body: 'pt' };
    expect(await bodyOf({ draft, language: 'pt-BR', variables: {} })).toBe('pt');
    expect(await bodyOf({ draft, language: 'fr', variables: {} })).toBe('en 2');
  });

  it('says what a send would refuse, in the same words', async () => {
    const templateId = await aTemplate(world, 'email', unique('MAIL'), mail);
    const { userErrors } = await preview({ templateId, variables: {} });
    expect(userErrors).toEqual([
      {
        code: 'MISSING_VARIABLE',
        message: `variable name of template ${templateId} is missing`,
        path: ['input', 'variables', 'name'],
      },
    ]);
    const faults = (variables: object) => faultsOf({ templateId, variables });
    expect(await faults({ name: 1 })).toEqual(['VARIABLE_TYPE input.variables.name']);
    expect(await faults({ name: ['x'] })).toEqual(['VARIABLE_INVALID input.variables.name']);
    expect(await faults({ name: 'x'.repeat(66_000) })).toEqual(['VARIABLES_TOO_LARGE input.variables']);
    expect(await faults({ name: '&'.repeat(50_000) })).toEqual(['TEXT_TOO_LONG input.variables']);
    expect(await faults({ name: 'x', url: 'javascript:x' })).toEqual(['URL_UNSAFE input.variables']);
  });

  it('needs one thing to show, a language, and a text for it', async () => {
    const draft = { notificationType: unique('T'), channel: 'SMS', language: 'de', body: '' };
    const variables = {};
    expect(await faultsOf({ variables })).toEqual(['TEMPLATE_OR_DRAFT input']);
    expect(await faultsOf({ templateId: 'a', draft: { ...draft, body: 'b' }, variables })).toEqual([
      'TEMPLATE_OR_DRAFT input',
    ]);
    expect(await faultsOf({ templateId: 'none', variables })).toEqual([
      'TEMPLATE_NOT_FOUND input.templateId',
    ]);
    expect(await faultsOf({ templateId: ' a', language: 'x', variables })).toEqual([
      'ID_INVALID input.templateId',
      'LANGUAGE_INVALID input.language',
    ]);
    expect(await faultsOf({ draft: { ...draft, title: 't' }, variables })).toEqual([
      'BODY_REQUIRED input.draft.body',
      'FIELD_NOT_FOR_CHANNEL input.draft.title',
    ]);
    expect(await faultsOf({ draft: { ...draft, body: 'b' }, language: 'fr', variables })).toEqual([
      'TEMPLATE_NOT_FOUND input.language',
    ]);
  });
});

describe('a test notification', () => {
  it('brings this very version in its own language, once more with each call', async () => {
    const type = unique('TYPE');
    const first = await aTemplate(world, 'push', type, { body: 'eins', language: 'de' });
    await aTemplate(world, 'push', type, { body: 'zwei', language: 'de' });
    const { userId } = await aUser(world);
    const input = { templateId: first, userId, channel: 'PUSH' };
    const [one, two] = [await sendTest(input), await sendTest(input)];
    expect(one.requestId).not.toBe(two.requestId);
    for (const { requestId } of [one, two]) {
      expect(await contentsOf(requestId)).toEqual([['push', { body: 'eins' }]]);
    }
  });

  it('obeys what its reader wants', async () => {
    const type = unique('TYPE');
    const templateId = await aTemplate(world, 'push', type);
    const { userId } = await aUser(world);
    const off = [{ notificationType: type, channel: 'push' as const, enabled: false }];
    await world.notifications.setPreferences(userId, off);
    expect(await sendTest({ templateId, userId, channel: 'PUSH' })).toMatchObject({
      userErrors: [{ code: 'NOTHING_TO_SEND', message: expect.stringContaining('CHANNEL_DISABLED') }],
    });
  });

  it('is refused where something of it is wrong, and says where', async () => {
    const templateId = await aTemplate(world, 'push', unique('TYPE'), { variables: mail.variables });
    const { userId } = await aUser(world);
    const faults = async (input: object): Promise<string[]> => {
      const own = { templateId, userId, channel: 'PUSH', variables: { name: 'Ann' } };
      const { userErrors, requestId } = await sendTest({ ...own, ...input });
      expect(requestId).toBeNull();
      return userErrors.map(({ code, path }) => `${code} ${path.join('.')}`);
    };
    expect(await faults({ templateId: 'none' })).toEqual(['TEMPLATE_NOT_FOUND input.templateId']);
    expect(await faults({ templateId: ' a' })).toEqual(['TEMPLATE_NOT_FOUND input.templateId']);
    expect(await faults({ channel: 'SMS' })).toEqual(['TEMPLATE_NOT_FOR_CHANNEL input.channel']);
    expect(await faults({ userId: '' })).toEqual(['ID_INVALID input.userId']);
    expect(await faults({ variables: { name: 1 } })).toEqual(['VARIABLE_TYPE input.variables.name']);
    expect(await faults({ variables: {} })).toEqual(['NOTHING_TO_SEND input']);
    expect(await faults({ userId: 'nobody-at-all' })).toEqual(['NOTHING_TO_SEND input']);
  });

  it('stands in the producer’s own list under the admin who sent it', async () => {
    const templateId = await aTemplate(world, 'push', unique('TYPE'));
    const { userId } = await aUser(world);
    const sent = await world.notifications.templates.sendTest(admin, { templateId, userId, channel: 'push' });
    if (!sent.ok) throw new Error(JSON.stringify(sent.errors));
    const [request] = await world.notifications.requestsById([sent.value.requestId]);
    expect(request).toMatchObject({ producer: admin.viewer.userId, templateId });
  });
});
