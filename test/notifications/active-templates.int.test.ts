import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Forgetful } from '../../src/domains/notifications/freshness.js';
import {
  type ActiveTemplates,
  createActiveTemplates,
} from '../../src/domains/notifications/templates/active-templates.js';
import { aTemplate, type NotificationWorld, openNotificationWorld, unique } from './notification-world.js';

let world: NotificationWorld;
let templates: ActiveTemplates;
let cache: Forgetful;
let statements: number;
let now: number;

beforeAll(async () => {
  world = await openNotificationWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  statements = 0;
  now = 1;
  templates = createActiveTemplates({
    postgres: {
      query(statement, values) {
        statements += 1;
        return world.postgres.query(statement, values);
      },
    },
    freshness: {
      keep: (one) => {
        cache = one;
      },
      mayAnswer: () => true,
    },
    now: () => now,
  });
});

const bodiesNamedBy = async (templateId: string): Promise<string[] | string> => {
  const found = await templates.ofTypeNamedBy(templateId);
  return found.ok ? found.value.map(({ body }) => body).toSorted() : found.errors[0]!.code;
};

describe('the active templates', () => {
  it('of a type are named by each of its templates, and read once for all of them', async () => {
    const type = unique('TYPE');
    const former = await aTemplate(world, 'push', type, { body: 'former' });
    const push = await aTemplate(world, 'push', type, { body: 'push' });
    const mail = await aTemplate(world, 'email', type, { body: 'mail', language: 'de' });
    for (const id of [former, push, mail, former, push]) {
      expect(await bodiesNamedBy(id)).toEqual(['mail', 'push']);
    }
    expect(await templates.ofType(type)).toHaveLength(2);
    // The texts, and three times which type an id is of.
    expect(statements).toBe(4);
  });

  it('are read anew after 300 seconds, and at once when they changed', async () => {
    const type = unique('TYPE');
    const id = await aTemplate(world, 'push', type, { body: 'one' });
    expect(await bodiesNamedBy(id)).toEqual(['one']);
    await aTemplate(world, 'push', type, { body: 'two' });
    now += 300_000;
    expect(await bodiesNamedBy(id)).toEqual(['one']);
    now += 1;
    expect(await bodiesNamedBy(id)).toEqual(['two']);
    await aTemplate(world, 'push', type, { body: 'three' });
    cache.forgetType?.(type);
    expect(await bodiesNamedBy(id)).toEqual(['three']);
    await aTemplate(world, 'push', type, { body: 'four' });
    cache.forgetType?.('ANOTHER');
    expect(await bodiesNamedBy(id)).toEqual(['three']);
    cache.forgetAll();
    expect(await bodiesNamedBy(id)).toEqual(['four']);
  });

  it('of a template that is not there are looked for again after a second, or when any was saved', async () => {
    const [one, two] = [unique('late'), unique('late')];
    for (const id of [one, two, one]) expect(await bodiesNamedBy(id)).toBe('TEMPLATE_NOT_FOUND');
    expect(statements).toBe(2);
    await aTemplate(world, 'push', unique('TYPE'), { templateId: one, body: 'one' });
    expect(await bodiesNamedBy(one)).toBe('TEMPLATE_NOT_FOUND');
    now += 1_001;
    expect(await bodiesNamedBy(one)).toEqual(['one']);
    expect(await bodiesNamedBy(two)).toBe('TEMPLATE_NOT_FOUND');
    const type = unique('TYPE');
    await aTemplate(world, 'push', type, { templateId: two, body: 'two' });
    cache.forgetType?.(type);
    expect(await bodiesNamedBy(two)).toEqual(['two']);
  });

  it('of a type that has none are none', async () => {
    const id = await aTemplate(world, 'push', unique('TYPE'), { activate: false });
    expect(await bodiesNamedBy(id)).toEqual([]);
  });
});

it('a template that is asked for by itself is as it is now, active or not', async () => {
  const type = unique('TYPE');
  const id = await aTemplate(world, 'push', type, { body: 'one', activate: false, variables: { a: {} } });
  expect(await templates.exactly(id)).toMatchObject({
    ok: true,
    value: {
      templateId: id,
      notificationType: type,
      body: 'one',
      variables: { a: { type: 'string', required: false } },
    },
  });
  expect(await templates.exactly('none')).toMatchObject({ errors: [{ code: 'TEMPLATE_NOT_FOUND' }] });
});
