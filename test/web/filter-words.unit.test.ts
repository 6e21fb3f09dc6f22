import { describe, expect, test } from 'vitest';
import { type Attribute, wordsAfter } from '../../web/src/console/sections/campaigns/new/filter-words.js';

const attributes: readonly Attribute[] = [
  { name: 'plan', type: 'STRING' },
  { name: 'visits', type: 'NUMBER' },
  { name: 'topics', type: 'STRINGS' },
  { name: 'isTester', type: 'BOOLEAN' },
  { name: 'joined', type: 'DATETIME' },
];
const offered = (text: string) => wordsAfter(text, attributes).map(({ label }) => label);

describe('the next word of a filter', () => {
  test.each(['', 'plan = "pro" and ', '(', 'not (', 'plan exists or '])('after %j is a question', (text) => {
    expect(offered(text)).toEqual(expect.arrayContaining(['plan', 'topics', 'not (', 'hasDevice(']));
  });

  test('after an attribute is an operator that its type has', () => {
    expect(offered('topics ')).toEqual(['contains', 'exists']);
    expect(offered('visits ')).toContain('<=');
    expect(offered('isTester ')).not.toContain('<');
  });

  test('after an operator is a value of the type', () => {
    expect(offered('isTester = ')).toEqual(['true', 'false']);
    expect(offered('joined > ')).toContain('now() - 7d');
    expect(offered('plan in ("a", ')).toEqual(['""']);
    expect(offered('hasDevice(')).toEqual(['"IOS"', '"ANDROID"', '"WEB"']);
  });

  test.each(['plan = "pro" ', 'visits < 5 ', 'plan exists ', 'plan in ("a") ', 'hasDevice("IOS") '])(
    'after %j is how it goes on',
    (text) => expect(offered(text)).toEqual(['and', 'or', 'and not (']),
  );

  test('within a text is nothing', () => {
    expect(offered('plan = "pr')).toEqual([]);
  });
});
