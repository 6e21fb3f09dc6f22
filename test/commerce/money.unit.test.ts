import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digitsOf, formatAmount, minorUnitsOf, parseAmount } from '../../src/domains/commerce/money.js';

const currency = fc.constantFrom('USD', 'JPY', 'KWD', 'EUR', 'CLF');
const minor = fc.bigInt(1n, BigInt(Number.MAX_SAFE_INTEGER));

describe('money', () => {
  it('knows how many decimals a currency has', () => {
    expect(['USD', 'JPY', 'KWD', 'CLF'].map(digitsOf)).toEqual([2, 0, 3, 4]);
  });

  it('survives being written and read, to the last minor unit', () => {
    fc.assert(
      fc.property(minor, currency, (amount, code) => {
        expect(minorUnitsOf(formatAmount(amount, code), code)).toBe(amount);
        expect(formatAmount(-amount, code)).toBe(`-${formatAmount(amount, code)}`);
      }),
    );
  });

  it('adds without ever losing a cent, in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(1n, 10n ** 12n), { minLength: 1, maxLength: 100 }), (amounts) => {
        const sum = (list: bigint[]): bigint =>
          list.reduce((total, amount) => total + minorUnitsOf(formatAmount(amount, 'USD'), 'USD'), 0n);
        expect(sum(amounts)).toBe(amounts.reduce((total, amount) => total + amount, 0n));
        expect(sum([...amounts].reverse())).toBe(sum(amounts));
      }),
    );
  });

  it('reads an amount with more decimals only where they are zeros', () => {
    fc.assert(
      fc.property(minor, currency, fc.stringMatching(/^\d{1,5}$/), (amount, code, more) => {
        const text = formatAmount(amount, code);
        const parsed = parseAmount(`${text}${text.includes('.') ? '' : '.'}${more}`, code, ['amount']);
        if (/^0+$/.test(more)) expect(parsed).toEqual({ ok: true, value: amount });
        else expect(parsed).toMatchObject({ ok: false, errors: [{ code: 'AMOUNT_TOO_PRECISE' }] });
      }),
    );
  });

  it('never accepts zero, less than zero, or more than 2^53 - 1 minor units', () => {
    const beyond = fc.bigInt(BigInt(Number.MAX_SAFE_INTEGER) + 1n, 10n ** 30n);
    fc.assert(
      fc.property(
        fc.oneof(minor, beyond, fc.constant(0n)),
        fc.boolean(),
        currency,
        (amount, negative, code) => {
          const parsed = parseAmount(formatAmount(negative ? -amount : amount, code), code, ['amount']);
          const refusal = parsed.ok ? null : parsed.errors[0]?.code;
          if (negative || amount === 0n) expect(refusal).toBe('AMOUNT_NOT_POSITIVE');
          else expect(refusal).toBe(amount > BigInt(Number.MAX_SAFE_INTEGER) ? 'AMOUNT_TOO_LARGE' : null);
        },
      ),
    );
  });
});
