import { expect, it } from 'vitest';
import { validate } from '../../src/domains/notifications/intake/validate.js';
import { checkUsers } from '../../src/domains/notifications/segments/attributes.js';

/** What is no value of a variable or of an attribute. */
const wrong = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`name${n}`, [[]]]));
const each = <Item>(make: (n: number) => Item) => Array.from({ length: 1_000 }, (_, n) => make(n));

it('of a request with faults without end the first ones are reported', () => {
  const variables = wrong(800);
  const request = {
    notificationId: 'once',
    type: 'NEW_MESSAGE',
    templateId: 'new-message.push.en',
    recipients: each((n) => ({ userId: `u${n}`, channels: [], variables })),
  };
  const validated = validate(request, Date.now());
  expect(validated.ok ? [] : validated.errors.map(({ path }) => path?.slice(0, 4))).toEqual([
    ['input', 'recipients', '0', 'channels'],
    ...Array(19).fill(['input', 'recipients', '0', 'variables']),
  ]);
});

it('of one recipient with a million wrong variables, and of users with as many attributes, too', () => {
  const many = wrong(300_000);
  const request = {
    notificationId: 'once',
    type: 'NEW_MESSAGE',
    templateId: 'new-message.push.en',
    recipients: [{ userId: 'ann', variables: many }],
  };
  const validated = validate(request, Date.now());
  expect(validated.ok ? 0 : validated.errors.length).toBe(20);
  expect(checkUsers(each((n) => ({ userId: `u${n}`, attributes: many }))).length).toBe(20);
});
