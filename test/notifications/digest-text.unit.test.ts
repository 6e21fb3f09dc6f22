import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInTemplates, hasText } from '../../src/domains/notifications/digests/built-in.js';
import { digestVariables } from '../../src/domains/notifications/digests/compose.js';
import { renderTemplate } from '../../src/domains/notifications/templates/render.js';
import { channels } from '../../src/domains/notifications/types.js';

const entry = (n: number, own: object = {}) => ({
  content: { title: `Title ${n}`, body: `Body ${n}`, actionUrl: `https://example.com/${n}`, ...own },
  createdAt: new Date(n * 1000),
});

describe('what a digest says', () => {
  it('is of the newest, the newest first, with title, body, link and time', () => {
    const { count, items, more, summary } = digestVariables([entry(1), entry(2)], 'push');
    expect({ count, more, summary }).toEqual({
      count: 2,
      more: 0,
      summary: 'Title 2: Body 2\nTitle 1: Body 1',
    });
    expect(items[0]).toEqual({
      title: 'Title 2',
      body: 'Body 2',
      url: 'https://example.com/2',
      at: '1970-01-01T00:00:02.000Z',
    });
  });

  it('has 20 items at most, and says how many more there are', () => {
    const { count, items, more, summary } = digestVariables(
      Array.from({ length: 23 }, (_, n) => entry(n)),
      'in_app',
    );
    expect([count, items.length, more]).toEqual([23, 20, 3]);
    expect(summary.split('\n')).toHaveLength(21);
    expect(summary).toMatch(/^Title 22: .*\n\+3$/s);
  });

  it('has a subject where it has no title, links in mails, and no line breaks within a line', () => {
    const mail = { title: undefined, subject: 'Subject', body: 'One\n\ntwo' };
    expect(digestVariables([entry(1, mail), entry(2)], 'email').summary).toBe(
      'Title 2: Body 2\nhttps://example.com/2\nSubject: One two\nhttps://example.com/1',
    );
  });

  it('fits a push and an SMS, whatever its items are', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.string({ maxLength: 2_000 }));
    const items = fc.array(fc.record({ title: text, body: text }), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(items, fc.constantFrom(...channels), (all, channel) => {
        const gathered = all.map((content) => ({ content, createdAt: new Date(0) }));
        const { summary } = digestVariables(gathered, channel);
        expect(summary.isWellFormed()).toBe(true);
        if (channel === 'sms') expect(summary.length).toBeLessThanOrEqual(300);
        if (channel === 'push') expect(Buffer.byteLength(JSON.stringify(summary))).toBeLessThan(3_500);
      }),
      { numRuns: 200 },
    );
  });
});

it('there is a built-in text for every channel and each language of the product', () => {
  const variables = digestVariables([entry(1), entry(2)], 'push');
  for (const channel of channels)
    for (const language of [null, 'de', 'pt-BR', 'fr'])
      expect(hasText(builtInTemplates, channel, language)).toBe(true);
  for (const template of builtInTemplates)
    expect(renderTemplate(template, variables)).toMatchObject({
      kind: 'rendered',
      content: { body: expect.stringContaining('Title 2: Body 2') },
    });
});
