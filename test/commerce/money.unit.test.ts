import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencyDigits } from '../../src/domains/commerce/currencies.js';
import {
  digitsOf,
  formatAmount,
  isCurrency,
  minorUnitsOf,
  parseAmount,
  parseAmountOrZero,
  sameAmount,
} from '../../src/domains/commerce/money.js';

const currency = fc.constantFrom('USD', 'JPY', 'KWD', 'EUR', 'CLF');
const minor = fc.bigInt(1n, BigInt(Number.MAX_SAFE_INTEGER));

describe('money', () => {
  it('knows how many decimals a currency has', () => {
    expect(['USD', 'JPY', 'KWD', 'CLF'].map(digitsOf)).toEqual([2, 0, 3, 4]);
    expect(() => digitsOf('ZZZ')).toThrow('ZZZ is no currency');
  });

  it('spells every amount in one way, and leaves alone what is no amount', () => {
    const spellings = {
      '1.0': '1',
      '1.00': '1',
      '01': '1',
      '0.50': '0.5',
      '0': '0',
      '000.0': '0',
      '-2.50': '-2.5',
    };
    for (const [text, same] of Object.entries(spellings)) expect(sameAmount(text)).toBe(same);
    for (const text of ['', 'x', '1.', '.5', '1e2', ' 1']) expect(sameAmount(text)).toBe(text);
    fc.assert(
      fc.property(minor, currency, fc.nat(3), (amount, code, zeros) => {
        const text = formatAmount(amount, code);
        const longer = text.includes('.') ? text + '0'.repeat(zeros) : text;
        expect(sameAmount(longer)).toBe(sameAmount(text));
        expect(minorUnitsOf(sameAmount(text), code)).toBe(amount);
      }),
    );
  });

  it('has the decimals of ISO 4217, whatever the runtime thinks of prices', () => {
    const having = (digits: number) =>
      [...currencyDigits].flatMap(([code, has]) => (has === digits ? [code] : [])).join(' ');
    expect(having(0)).toBe('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF');
    expect(having(3)).toBe('BHD IQD JOD KWD LYD OMR TND');
    expect(having(4)).toBe('CLF UYW');
    // These are what Intl would show without decimals, in one patch of Node or another.
    for (const code of ['HUF', 'IDR', 'COP', 'PKR', 'IRR', 'LBP', 'AFN', 'MMK']) {
      expect([code, digitsOf(code)]).toEqual([code, 2]);
    }
  });

  it('has every code once, spelled as ISO spells it, and none of what nobody pays in', () => {
    expect([...currencyDigits.keys()].filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([]);
    expect(currencyDigits.size).toBe(164);
    expect(['XAU', 'XDR', 'XTS', 'XXX', 'DEM', 'usd', ''].filter(isCurrency)).toEqual([]);
  });

  it('is read back of any size and sign, zero too, and with fewer decimals', () => {
    const any = fc.bigInt(-(10n ** 30n), 10n ** 30n);
    fc.assert(
      fc.property(any, currency, (amount, code) => {
        const text = formatAmount(amount, code);
        expect(minorUnitsOf(text, code)).toBe(amount);
        if (text.includes('.')) expect(minorUnitsOf(text.replace(/\.?0*$/, ''), code)).toBe(amount);
      }),
    );
    expect(minorUnitsOf('0', 'USD')).toBe(0n);
    expect(minorUnitsOf('12.5', 'USD')).toBe(1250n);
    expect(minorUnitsOf('-180143985094819.82', 'USD')).toBe(-18_014_398_509_481_982n);
    for (const text of ['', '-', 'x', '1e3', '1.', '.5', ' 1', '1.005']) {
      expect(() => minorUnitsOf(text, 'USD')).toThrow('is no amount in USD');
    }
  });

  it('that is no plain decimal gets another code than one that is not above zero', () => {
    const codes = (text: string) =>
      [parseAmount, parseAmountOrZero].map((parse) => {
        const parsed = parse(text, 'USD', ['amount']);
        return parsed.ok ? null : parsed.errors[0]?.code;
      });
    for (const text of [
      '',
      '-',
      '.',
      '1.',
      '.5',
      '1e3',
      'x',
      '+1',
      ' 1',
      '--1',
      '0x1',
      '1,5',
      '0.',
      '00..0',
    ]) {
      expect([text, ...codes(text)]).toEqual([text, 'AMOUNT_INVALID', 'AMOUNT_INVALID']);
    }
    expect(codes('0.00')).toEqual(['AMOUNT_NOT_POSITIVE', null]);
    expect(codes('-1')).toEqual(['AMOUNT_NOT_POSITIVE', 'AMOUNT_INVALID']);
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
