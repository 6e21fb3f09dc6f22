import { setImmediate, setTimeout } from 'node:timers/promises';
import { describe, expect, it, test, vi } from 'vitest';
import { readOnThread } from '../../src/domains/limits/rules/reading-thread.js';
import { readRules, TookTooLong } from '../../src/domains/limits/rules/rules.js';

async function messageOf(document: string): Promise<string> {
  const parsed = await readRules(document);
  return parsed.ok ? 'accepted' : parsed.faults[0]!.message;
}

const good = 'domain: d\ndescriptors: []\n';
const tooLarge = 'the document is larger than 256 KiB';
const tooDeep = 'nested too deeply to be a rule document';
const tinyRule = '{"key":"user_id","value":"u","rate_limits":[';
const windows = ['second', 'minute', 'hour', 'day'].map((unit) => `{"requests_per_unit":1,"unit":"${unit}"}`);
/** As many words and marks as a document of 256 KiB may well have. */
const largest = `{"domain":"d","descriptors":[${Array.from({ length: 1_250 }, (_, n) => `${tinyRule.replace('"u"', `"u${n}"`)}${windows}]}`)}]}`;
const bomb = Array.from(
  { length: 9 },
  (_, n) =>
    `a${n}: &a${n} [${Array(9)
      .fill(`*a${n - 1}`)
      .join(', ')}]`,
);

describe('a hostile document is refused by name', () => {
  test.each<[string, string, string]>([
    ['10 MB', 'x'.repeat(10_000_000), tooLarge],
    ['one byte too many', `${good}#${'x'.repeat(256 * 1_024 - good.length)}`, tooLarge],
    ['fewer characters than bytes', `${good}#${'é'.repeat(200_000)}`, tooLarge],
    ['100,000 rules', `${good}${'- a\n'.repeat(100_000)}`, tooLarge],
    ['100,000 lists inside one another', '['.repeat(100_000), tooDeep],
    ['100,000 lists inside one another, in blocks', '- '.repeat(100_000), tooDeep],
    ['60,000 mappings inside one another', '{a: '.repeat(60_000), tooDeep],
    ['260,000 commas', `[${','.repeat(260_000)}]`, 'too many words and marks to be a rule document'],
    ['keys of keys', '? '.repeat(100_000), tooDeep],
    [
      'a billion laughs',
      ['a-1: &a-1 [lol]', ...bomb].join('\n'),
      "unknown key 'a-1'; allowed here: domain, descriptors",
    ],
    [
      'a huge text',
      `domain: ${'x'.repeat(250_000)}\ndescriptors: []`,
      'domain must have 256 characters at most; it has 250000',
    ],
    [
      'a number of 10,000 digits',
      `domain: d\ndescriptors: ${'9'.repeat(10_000)}`,
      'descriptors must be a list; got Infinity',
    ],
    [
      'a key that would be the prototype',
      'domain: d\ndescriptors: []\n__proto__: { a: 1 }',
      "unknown key '__proto__'; allowed here: domain, descriptors",
    ],
  ])('%s', async (_, document, message) => expect(await messageOf(document)).toBe(message));
});

it('256 KiB are read to the last byte', async () => {
  expect(await messageOf(`${good}#${'x'.repeat(256 * 1_024 - good.length - 1)}`)).toBe('accepted');
});

/** The longest that a timer and other work had to wait while `work` went on, as a part of the time that it took. */
async function longestHoldUp(work: () => Promise<unknown>): Promise<number> {
  const moments = [performance.now()];
  let isOver = false;
  const over = work().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await setTimeout(1);
    await setImmediate();
    moments.push(performance.now());
  }
  await over;
  const waits = moments.slice(1).map((moment, index) => moment - moments[index]!);
  return Math.max(...waits) / (moments.at(-1)! - moments[0]!);
}

it('timers and other work go on while a large document is read', async () => {
  const reading = async () => expect(await readRules(largest)).toMatchObject({ ok: true });
  // A busy machine holds up this or that reading; what reads on the same thread holds up all of each.
  await vi.waitFor(async () => expect(await longestHoldUp(reading)).toBeLessThan(1 / 3), 15_000);
});

it('a document that is not read in time is no faulty one: it is given up, and read the next time', async () => {
  await expect(readOnThread(good, undefined, 0)).rejects.toThrow(TookTooLong);
  expect(await messageOf(good)).toBe('accepted');
});

it('documents wait for each other, and a bad one does not spoil the next', async () => {
  const messages = await Promise.all([
    messageOf('['.repeat(1_000)),
    messageOf(good),
    messageOf('\0'),
    messageOf(good),
  ]);
  expect(messages).toEqual([tooDeep, 'accepted', 'the control character U+0000 is not allowed', 'accepted']);
});
