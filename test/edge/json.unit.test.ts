import { describe, expect, it } from 'vitest';
import { roundsANumber } from '../../src/edge/json.js';
import { inexactOperation } from '../../src/edge/socket/frames.js';

describe('numbers that parsing may round', () => {
  it.each([
    '0.99999999999999999999',
    '9007199254740993',
    '-9007199254740993',
    '123456789012345.678',
    '1234567890123456789e2',
    '1.234567890123456e400',
    '[{"a":{"b":[1,2.0000000000000001]}}]',
    '{"note":"a \\" 1","amount":1.00000000000000001}',
    `${'['.repeat(400_000)}9007199254740993${']'.repeat(400_000)}`,
  ])('are found: %#', (text) => {
    expect(roundsANumber(text)).toBe(true);
  });

  it.each([
    '123456789012345',
    '1234567890123456',
    '0.30000000000000004',
    '0.8414709848078965',
    '13.404954000000002',
    '1.0000000000000000000',
    '0.0000000000000000000',
    '12345678901234.5',
    '-0.00000000000000000012',
    '1e0000000000000000001',
    '"0.99999999999999999999"',
    '{"12345678901234567890":1}',
    '{"id":"\\\\\\"12345678901234567890","n":1}',
    '["1234567890123456\\"1234567890123456",12.5]',
  ])('are not seen in what is exact, or text: %s', (text) => {
    expect(roundsANumber(text)).toBe(false);
  });
});

it('names the operation of a socket message with such a number, and of no other message', () => {
  expect(inexactOperation('{"id":"7","type":"subscribe","payload":{"n":9007199254740993}}')).toBe('7');
  expect(inexactOperation('{"id":"7","type":"subscribe","payload":{"n":123456789012345}}')).toBeUndefined();
  expect(inexactOperation('{"type":"ping","payload":{"n":9007199254740993}}')).toBeUndefined();
  expect(inexactOperation('{"id":"7","payload":1234567890123456')).toBeUndefined();
  expect(inexactOperation(`{"n":1234567890123456,"t":"${'\\"'.repeat(500_000)}`)).toBeUndefined();
});
