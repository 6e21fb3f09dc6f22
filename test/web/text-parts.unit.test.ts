import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mentionsIn } from '../../src/domains/feed/posts/mentions.js';
import { partsOf } from '../../web/src/reader/post/text-parts.js';

const peopleIn = (text: string) => partsOf(text).flatMap(({ userId }) => userId ?? []);
const linksIn = (text: string) => partsOf(text).flatMap(({ text: link, href }) => (href ? link : []));

test.each([
  ['hello @josé and @élan_7', ['josé', 'élan_7']],
  ['write to café@home.org', []],
  ['(@dan-) @eve. @ann.b', ['dan', 'eve', 'ann.b']],
  ['see https://example.com/@ben and @@ben', []],
])('the reader links to whom the server notifies: %j', (text, people) => {
  expect(peopleIn(text)).toEqual(people);
  expect(mentionsIn(text)).toEqual(people);
});

test.each([
  ['https://en.wikipedia.org/wiki/Foo_(bar).', ['https://en.wikipedia.org/wiki/Foo_(bar)']],
  ['(see http://a.test/x), **https://b.test/**', ['http://a.test/x', 'https://b.test/']],
  ['https://bank.test@evil.test http://) nohttps://a.test ftp://a.test', []],
])('it links to what the server takes for a link: %j', (text, links) => {
  expect(linksIn(text)).toEqual(links);
});

test('whatever the text, none of it is lost, and each person it links to is mentioned', () => {
  const piece = fc.constantFrom(
    '@',
    'é',
    'ann',
    '-',
    '.',
    '/',
    '(',
    ')',
    ' ',
    '\n',
    'https://',
    'a.test',
    '😀',
    '_7',
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 30 }),
      fc.string({ unit: 'binary', maxLength: 10 }),
      (pieces, rest) => {
        const text = pieces.join('') + rest;
        const parts = partsOf(text);
        expect(parts.map((part) => part.text).join('')).toBe(text);
        for (const { index, text: own } of parts) expect(text.startsWith(own, index)).toBe(true);
        const people = new Set(peopleIn(text));
        if (people.size < 10)
          expect([...people].filter((one) => !mentionsIn(text).includes(one))).toEqual([]);
      },
    ),
    { numRuns: 1_000 },
  );
});
