import { expect, test } from 'vitest';
import { smsSegments } from '../../../web/src/console/preview/sms-segments.js';

test('a text of 160 characters of GSM 03.38 is one segment, and one more makes two of 153', () => {
  expect(smsSegments('a'.repeat(160))).toMatchObject({ encoding: 'GSM-7', segments: 1, left: 0 });
  expect(smsSegments('a'.repeat(161))).toMatchObject({ segments: 2, left: 306 - 161 });
});

test('characters of the extension count twice, and are never cut in two', () => {
  expect(smsSegments('€'.repeat(80))).toMatchObject({ encoding: 'GSM-7', segments: 1, left: 0 });
  expect(smsSegments(`${'a'.repeat(152)}€${'a'.repeat(10)}`)).toMatchObject({ segments: 2, left: 141 });
});

test('one character that GSM 03.38 lacks makes the text Unicode: 70 alone, 67 of each of several', () => {
  expect(smsSegments(`${'a'.repeat(69)}ß`)).toMatchObject({ encoding: 'GSM-7' });
  expect(smsSegments(`${'a'.repeat(69)}ș`)).toMatchObject({
    encoding: 'UCS-2',
    segments: 1,
    left: 0,
    unicode: ['ș'],
  });
  expect(smsSegments(`${'a'.repeat(70)}ș`)).toMatchObject({ segments: 2, left: 134 - 71 });
});

test('an emoji takes two units of Unicode and goes whole into the next segment', () => {
  expect(smsSegments(`${'a'.repeat(66)}🚚${'a'.repeat(10)}`)).toMatchObject({ segments: 2, left: 67 - 12 });
});

test('an empty text is one segment', () => {
  expect(smsSegments('')).toMatchObject({ segments: 1, characters: 0, left: 160 });
});
