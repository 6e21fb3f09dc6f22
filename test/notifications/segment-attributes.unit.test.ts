import { describe, expect, it } from 'vitest';
import {
  checkUsers,
  checkValues,
  mergeAttributes,
  typesOfNew,
} from '../../src/domains/notifications/segments/attributes.js';
import { countryOf, zonesOf } from '../../src/domains/notifications/segments/countries.js';
import { project, totalOf } from '../../src/domains/notifications/segments/estimate.js';
import { readInstant } from '../../src/domains/notifications/segments/instants.js';

const of = (attributes: Record<string, unknown>, userId = 'ada') => ({ userId, attributes });

describe('what is set', () => {
  it.each([
    ['a name with a capital', { Plan: 'a' }, 'ATTRIBUTE_NAME_INVALID'],
    ['a name with a blank', { 'my plan': 'a' }, 'ATTRIBUTE_NAME_INVALID'],
    ['a name that is too long', { [`a${'b'.repeat(64)}`]: 1 }, 'ATTRIBUTE_NAME_INVALID'],
    ['a keyword', { and: 1 }, 'ATTRIBUTE_NAME_INVALID'],
    ['what is computed', { lastSeenDays: 1 }, 'ATTRIBUTE_NAME_INVALID'],
    ['a long text', { plan: 'a'.repeat(256) }, 'ATTRIBUTE_VALUE_INVALID'],
    ['a NUL', { plan: 'a\0' }, 'ATTRIBUTE_VALUE_INVALID'],
    ['an object', { plan: { a: 1 } }, 'ATTRIBUTE_VALUE_INVALID'],
    ['a list of numbers', { tags: [1] }, 'ATTRIBUTE_VALUE_INVALID'],
    ['a long list', { tags: Array(101).fill('a') }, 'ATTRIBUTE_VALUE_INVALID'],
    ['infinity', { score: Number.POSITIVE_INFINITY }, 'ATTRIBUTE_VALUE_INVALID'],
  ])('cannot be %s', (_, attributes, code) => {
    const [name] = Object.keys(attributes);
    expect(checkUsers([of({}), of(attributes)])).toMatchObject([
      { code, path: ['input', 'users', '1', 'attributes', name] },
    ]);
  });

  it('can be texts, numbers, booleans, lists and null', () => {
    const attributes = {
      a: 'a'.repeat(255),
      b: -0.5,
      c: false,
      d: [],
      e: ['x'],
      f: null,
      [`g${'h'.repeat(63)}`]: '',
    };
    expect(checkUsers([of(attributes)])).toEqual([]);
  });

  it('is of 1 to 1,000 users', () => {
    expect(checkUsers([])).toMatchObject([{ code: 'NO_USERS', path: ['input', 'users'] }]);
    expect(checkUsers(Array(1_001).fill(of({})))).toMatchObject([{ code: 'TOO_MANY_USERS' }]);
    expect(checkUsers([of({}, ' ada')])).toMatchObject([
      { code: 'ID_INVALID', path: ['input', 'users', '0', 'userId'] },
    ]);
  });
});

describe('the type of a new attribute', () => {
  it('is that of its first value, and a date-time where all values of the call are', () => {
    const users = [
      of({ plan: 'pro', score: 1, since: '2026-01-31', mixed: '2026-01-31', gone: null }),
      of({ since: '2026-01-31T10:00:00+02:00', mixed: 'soon', active: true, tags: [], known: '2026-01-31' }),
    ];
    expect(Object.fromEntries(typesOfNew(users, new Map([['known', 'string']])))).toEqual({
      plan: 'string',
      score: 'number',
      since: 'datetime',
      mixed: 'string',
      active: 'boolean',
      tags: 'strings',
    });
  });

  it('refuses other values with what it is', () => {
    const users = [of({ plan: 'pro', since: 'soon' }), of({ plan: 3, since: null })];
    expect(
      checkValues(users, new Map([['plan', 'string'] as const, ['since', 'datetime'] as const])),
    ).toEqual([
      {
        code: 'ATTRIBUTE_TYPE',
        message: 'since is a date-time for everybody, and this is a text',
        path: ['input', 'users', '0', 'attributes', 'since'],
      },
      {
        code: 'ATTRIBUTE_TYPE',
        message: 'plan is a text for everybody, and this is a number',
        path: ['input', 'users', '1', 'attributes', 'plan'],
      },
    ]);
  });
});

describe('merging', () => {
  const types = new Map([
    ['since', 'datetime'] as const,
    ['plan', 'string'] as const,
    ['constructor', 'string'] as const,
  ]);

  it('keeps what is not named, removes nulls, takes what is said twice in order, and counts who changed', () => {
    const stored = new Map([
      ['ada', { plan: 'free', kept: 1 }],
      ['bob', { plan: 'pro' }],
    ]);
    const users = [
      of({ plan: 'pro', kept: null, constructor: 'x' }),
      of({ plan: 'pro' }, 'bob'),
      of({ since: '2026-01-31T10:00:00+02:00' }),
      of({ plan: null }, 'eve'),
    ];
    const { faults, changed } = mergeAttributes(users, stored, types);
    expect(faults).toEqual([]);
    expect(Object.fromEntries(changed)).toEqual({
      ada: { plan: 'pro', constructor: 'x', since: '2026-01-31T08:00:00.000Z' },
    });
  });

  it('leaves nobody with more than 50', () => {
    const fifty = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`a${n}`, 'x']));
    const stored = new Map([['ada', fifty]]);
    expect(mergeAttributes([of({ plan: 'pro' })], stored, types).faults).toMatchObject([
      { code: 'TOO_MANY_ATTRIBUTES', path: ['input', 'users', '0', 'attributes'] },
    ]);
    expect(mergeAttributes([of({ plan: 'pro', a0: null })], stored, types).faults).toEqual([]);
  });

  it('leaves nobody with more than 64 KiB', () => {
    const names = ['t0', 't1', 't2'];
    const lists = new Map([...types, ...names.map((name) => [name, 'strings'] as const)]);
    const long = Array(90).fill('ä'.repeat(120));
    const stored = new Map([['ada', { t0: long, t1: long }]]);
    expect(mergeAttributes([of({ t2: long })], stored, lists).faults).toEqual([
      {
        code: 'TOO_MANY_ATTRIBUTES',
        message: 'The attributes of a user have at most 65536 bytes as JSON',
        path: ['input', 'users', '0', 'attributes'],
      },
    ]);
    expect(mergeAttributes([of({ t2: long, t0: null })], stored, lists).faults).toEqual([]);
  });
});

it('instants have one form in whose order they are', () => {
  expect([
    readInstant('2026-01-31'),
    readInstant('2026-01-31T00:30:00+01:00'),
    readInstant('2024-02-29T12:00:00.123456Z'),
  ]).toEqual(['2026-01-31T00:00:00.000Z', '2026-01-30T23:30:00.000Z', '2024-02-29T12:00:00.123Z']);
  for (const text of ['2026-02-29', '31.01.2026', '2026-01-31T10:00:00', '0000-01-01', '2026', 'now'])
    expect(readInstant(text)).toBe(null);
});

it('zones have countries, by their former names and in any case too; UTC has none', () => {
  expect(
    ['Europe/Berlin', 'europe/paris', 'Asia/Calcutta', 'Asia/Kolkata', 'US/Pacific', 'UTC'].map(countryOf),
  ).toEqual(['DE', 'FR', 'IN', 'IN', 'US', undefined]);
  expect(zonesOf((country) => country === 'DE')).toEqual(
    expect.arrayContaining(['europe/berlin', 'europe/busingen']),
  );
});

it('a sample stands for everybody, and for no fewer than were found', () => {
  expect(project(5, 100, 10_000)).toBe(500);
  expect(project(5, 5, 3)).toBe(5);
  expect(project(0, 0, 3)).toBe(0);
  expect(totalOf({ blocks: 200, countedRows: 1_000, countedBlocks: 100 }, 7)).toBe(2_000);
  expect(totalOf({ blocks: 200, countedRows: -1, countedBlocks: 0 }, 7)).toBe(7);
});
