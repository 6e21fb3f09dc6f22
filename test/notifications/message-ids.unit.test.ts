import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namesSameMessage } from '../../src/domains/notifications/providers/message-ids.js';

/** As providers' own documentation and real webhooks show them: what was answered, and what came back. */
const pairs: [name: string, answered: string, reported: string][] = [
  ['SendGrid, old', '14c5d75ce93.dfd.64b469', '14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0'],
  [
    'SendGrid',
    'w_u0jeK0S1q9gsc4j0lORA',
    'w_u0jeK0S1q9gsc4j0lORA.filterdrecv-p3las1-5bf99c48d-mg9g8-20-5E21CC15-54.14',
  ],
  [
    'SendGrid, newer',
    'yW5utel5TYuIBREiXJi7aA',
    'yW5utel5TYuIBREiXJi7aA.recvd-5f9ffdf494-9kc6l-1-673C6EB0-B.0',
  ],
  ['SendGrid, of another kind', 'evEK_IhZSlKus235aGfxIQ', 'evEK_IhZSlKus235aGfxIQ.sandbox'],
  [
    'SendGrid, by smtp-id',
    'JQtrNr0IRR-slAi2eCUMSg',
    '<JQtrNr0IRR-slAi2eCUMSg@ismtpd0004p1iad1.sendgrid.net>',
  ],
  ['SendGrid, known from an event', 'abc.filter1.2.3', 'abc.recvd-1-2.0'],
  ['Message-ID', '<d-1@example.com>', 'd-1@example.com'],
  ['Message-ID, encoded', '<d-1@example.com>', '%3Cd-1%40example.com%3E'],
  ['SES', '0100018c-aa-000000', '<0100018c-aa-000000@email.amazonses.com>'],
  ['APNs', 'EABEAE54-14A8-11E5-B60B-1697F925EC7B', 'eabeae54-14a8-11e5-b60b-1697f925ec7b'],
  ['FCM', 'projects/my-shop/messages/0:15%31b', 'projects/my-shop/messages/0%3A15%2531b'],
  ['Twilio', 'SM0123456789abcdef0123456789abcdef', ' SM0123456789abcdef0123456789abcdef '],
];

describe('a message that its provider names in another form', () => {
  it.each(pairs)('is known again: %s', (_name, answered, reported) => {
    expect(namesSameMessage(answered, reported)).toBe(true);
    expect(namesSameMessage(reported, answered)).toBe(true);
  });

  it('is not taken for another message of the same delivery', () => {
    for (const [, answered] of pairs) {
      for (const [, other, reported] of pairs) {
        if (other !== answered)
          expect([answered, reported, namesSameMessage(answered, reported)]).toEqual([
            answered,
            reported,
            false,
          ]);
      }
    }
    expect(namesSameMessage('m-1', 'm-10.filter0001.1.2.0')).toBe(false);
    expect(namesSameMessage('', 'm-1')).toBe(false);
  });

  it('is distinguished whatever the texts are', () => {
    const id = fc.stringMatching(/^[A-Za-z0-9_-]{16,22}$/);
    const suffix = fc.constantFrom('', '.filter0001.16648.5515E0B88.0', '.recvd-5f9-1.0', '@ismtpd-1', '.x');
    fc.assert(
      fc.property(id, id, suffix, suffix, (one, other, a, b) => {
        fc.pre(one.toLowerCase() !== other.toLowerCase());
        expect(namesSameMessage(one, one + a)).toBe(true);
        expect(namesSameMessage(one + a, other + b)).toBe(false);
      }),
    );
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => void namesSameMessage(a, b)));
  });
});
