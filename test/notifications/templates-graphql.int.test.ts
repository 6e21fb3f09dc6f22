import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Role } from '../../src/platform/auth/auth.js';
import { systemClock } from '../../src/platform/clock.js';
import { aTemplate, type NotificationWorld, openNotificationWorld, unique } from './notification-world.js';
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

const ask = (query: string, variables = {}, ...roles: Role[]) =>
  api.graphql('root', query, variables, ...(roles.length > 0 ? roles : (['user', 'admin'] as const)));

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly templateId: string } }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean };
}
async function page(args: string): Promise<Page> {
  const { data } = await ask(
    `{ templates(${args}) { edges { cursor node { templateId } } pageInfo { hasNextPage hasPreviousPage } } }`,
  );
  return data.templates as unknown as Page;
}
const idsOf = ({ edges }: Page): string[] => edges.map(({ node }) => node.templateId);

describe('the list of templates', () => {
  it('shows each once, by type, channel, language and version, forwards and backwards', async () => {
    const type = unique('LISTED');
    const ids = [
      await aTemplate(world, 'email', type, { language: 'de' }),
      await aTemplate(world, 'email', type),
      await aTemplate(world, 'email', type),
      await aTemplate(world, 'push', type),
    ];
    const filter = `filter: { notificationType: "${type}" }`;
    for (const [size, next, more] of [
      ['first: 3', 'after', 'hasNextPage'],
      ['last: 3', 'before', 'hasPreviousPage'],
    ] as const) {
      const one = await page(`${filter}, ${size}`);
      expect(one.pageInfo[more]).toBe(true);
      const edge = next === 'after' ? one.edges.at(-1) : one.edges[0];
      const two = await page(`${filter}, ${size}, ${next}: "${edge!.cursor}"`);
      expect(two.pageInfo[more]).toBe(false);
      const seen = next === 'after' ? [one, two] : [two, one];
      expect(seen.flatMap(idsOf)).toEqual(ids);
    }
  });

  it('may be narrowed to a channel, a language, and what is active', async () => {
    const type = unique('LISTED');
    const first = await aTemplate(world, 'push', type);
    const second = await aTemplate(world, 'push', type);
    const german = await aTemplate(world, 'sms', type, { language: 'de' });
    const listed = async (filter: string) =>
      idsOf(await page(`filter: { notificationType: "${type}", ${filter} }`));
    expect(await listed('channel: PUSH')).toEqual([first, second]);
    expect(await listed('channel: PUSH, activeOnly: true')).toEqual([second]);
    expect(await listed('language: "de", channel: null')).toEqual([german]);
    expect(await listed('language: "no language"')).toEqual([]);
  });

  it('refuses a cursor that it did not give', async () => {
    const { errors } = await ask('{ templates(after: "nonsense") { edges { cursor } } }');
    expect(errors?.[0]?.extensions.code).toBe('BAD_CURSOR');
  });

  it('reads the versions of all texts in one statement, newest first', async () => {
    const type = unique('VERSIONED');
    const first = await aTemplate(world, 'push', type);
    const second = await aTemplate(world, 'push', type);
    const sms = await aTemplate(world, 'sms', type);
    const query = vi.spyOn(world.postgres, 'query');
    const { data } = await ask(
      'query ($filter: TemplateFilter) { templates(filter: $filter) { edges { node { templateId versions { templateId version isActive } } } } }',
      { filter: { notificationType: type } },
    );
    expect(query).toHaveBeenCalledTimes(2);
    query.mockRestore();
    const push = [
      { templateId: second, version: 2, isActive: true },
      { templateId: first, version: 1, isActive: false },
    ];
    expect((data.templates as unknown as Page).edges.map(({ node }) => node)).toEqual([
      { templateId: first, versions: push },
      { templateId: second, versions: push },
      { templateId: sms, versions: [{ templateId: sms, version: 1, isActive: true }] },
    ]);
  });
});

describe('activating and deactivating', () => {
  const change = (field: string, templateId: string) =>
    ask(
      `mutation ($templateId: ID!) { ${field}(input: { templateId: $templateId }) {
         template { templateId isActive version } userErrors { code path } } }`,
      { templateId },
    );

  it('activates a version, deactivates it, and says what there is not', async () => {
    const type = unique('TYPE');
    const templateId = await aTemplate(world, 'push', type, { activate: false });
    const changed = { template: { templateId, version: 1 }, userErrors: [] };
    expect((await change('activateTemplate', templateId)).data.activateTemplate).toMatchObject({
      ...changed,
      template: { isActive: true },
    });
    expect((await change('deactivateTemplate', templateId)).data.deactivateTemplate).toMatchObject({
      ...changed,
      template: { isActive: false },
    });
    expect((await change('activateTemplate', 'none')).data.activateTemplate).toEqual({
      template: null,
      userErrors: [{ code: 'TEMPLATE_NOT_FOUND', path: ['input', 'templateId'] }],
    });
  });
});

it.each([
  ['template', '{ template(templateId: "a") { body } }'],
  ['templates', '{ templates { edges { cursor } } }'],
  ['previewTemplate', '{ previewTemplate(input: { templateId: "a", variables: {} }) { content { body } } }'],
])('%s is for producers and admins', async (_, query) => {
  expect((await ask(query, {}, 'user')).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  for (const role of ['producer', 'admin'] as const)
    expect((await ask(query, {}, 'user', role)).errors).toBeUndefined();
});

it.each([
  ['saveTemplate', 'notificationType: "a", channel: PUSH, body: "b"'],
  ['activateTemplate', 'templateId: "a"'],
  ['deactivateTemplate', 'templateId: "a"'],
  ['sendTestNotification', 'templateId: "a", userId: "b", channel: PUSH'],
])('%s is for admins alone', async (field, input) => {
  const query = `mutation { ${field}(input: { ${input} }) { userErrors { code } } }`;
  expect((await ask(query, {}, 'user', 'producer')).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
});
