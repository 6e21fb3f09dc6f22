import { ok, type Result, refused } from '../../platform/errors.js';
import type { JsonObject } from '../../platform/event-log/index.js';
import { currencyDigits } from './currencies.js';

/** Amounts to move beyond this many minor units are refused: they would not survive a JSON number. */
const MAX_MINOR_UNITS = BigInt(Number.MAX_SAFE_INTEGER);
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** Upper-case ISO 4217. */
export const isCurrency = (code: string): boolean => currencyDigits.has(code);

/** How many decimals a currency has: 2 for USD, 0 for JPY, 3 for KWD. @throws where it is none */
export function digitsOf(currency: string): number {
  const digits = currencyDigits.get(currency);
  if (digits === undefined) throw new RangeError(`${currency} is no currency`);
  return digits;
}

/**
 * Reads an amount to move, in minor units: positive, with no more decimals than the currency has.
 *
 * Refuses with AMOUNT_INVALID (no plain decimal), AMOUNT_NOT_POSITIVE, AMOUNT_TOO_PRECISE or AMOUNT_TOO_LARGE.
 *
 * @param text a plain decimal, e.g. `12.5`
 */
export function parseAmount(text: string, currency: string, path: readonly string[]): Result<bigint> {
  if (DECIMAL.test(text) && (text.startsWith('-') || /^[0.]+$/.test(text))) {
    return refused('AMOUNT_NOT_POSITIVE', 'The amount must be above zero', path);
  }
  return parseAmountOrZero(text, currency, path);
}

/**
 * Reads an amount that may be zero, in minor units.
 *
 * Refuses with AMOUNT_INVALID (no plain decimal, or below zero), AMOUNT_TOO_PRECISE or AMOUNT_TOO_LARGE.
 *
 * @param text a plain decimal, e.g. `12.5`
 */
export function parseAmountOrZero(text: string, currency: string, path: readonly string[]): Result<bigint> {
  const minor = readDecimal(text, currency);
  if (minor === 'no decimal' || text.startsWith('-')) {
    return refused('AMOUNT_INVALID', 'An amount is a plain decimal, like 12.50', path);
  }
  if (minor === 'too precise') {
    const message = `An amount in ${currency} has at most ${digitsOf(currency)} decimals`;
    return refused('AMOUNT_TOO_PRECISE', message, path);
  }
  return isHoldable(minor) ? ok(minor) : refused('AMOUNT_TOO_LARGE', 'The amount is too large', path);
}

/** The same text for every spelling of an amount: `1.50`, `01.5` and `1.5` are `1.5`. What is no amount stays as it is. */
export function sameAmount(text: string): string {
  const [, sign = '', whole, decimals = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) return text;
  const significant = decimals.replace(/(?<!0)0+$/, '');
  return `${sign}${whole.replace(/^0+(?=\d)/, '')}${significant && `.${significant}`}`;
}

/**
 * What a commandId stands for, whatever the spelling of its amounts; all else is as the client wrote it, and no text as it is
 * stored. `formerBody` has amounts as they came too, which is what processes kept before `sameAmount`; it goes with a later
 * version, once none of their command ids is remembered.
 *
 * @param bodyWith the client's words, each amount as it is given back
 */
export const bodiesOf = (
  bodyWith: (amount: (text: string) => string) => JsonObject,
): { readonly body: JsonObject; readonly formerBody: JsonObject } => ({
  body: bodyWith(sameAmount),
  formerBody: bodyWith((text) => text),
});

/** Whether an amount or a balance stays within what is kept exactly everywhere. */
export const isHoldable = (minor: bigint): boolean => minor <= MAX_MINOR_UNITS;

/** Minor units as a decimal with all of the currency's digits: 1250 USD is `12.50`. */
export function formatAmount(minor: bigint, currency: string): string {
  const digits = digitsOf(currency);
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return `${minor < 0n ? '-' : ''}${whole}${digits > 0 ? `.${text.slice(-digits)}` : ''}`;
}

/**
 * Reads what was written before, whatever its sign and size: what has happened is not judged again. Fewer decimals than
 * the currency has are as good as all of them.
 *
 * @throws RangeError where it is no amount in this currency
 */
export function minorUnitsOf(text: string, currency: string): bigint {
  const minor = readDecimal(text, currency);
  if (typeof minor !== 'bigint') throw new RangeError(`${text} is no amount in ${currency}`);
  return minor;
}

/** In minor units. Zeros beyond the currency's decimals say nothing. */
function readDecimal(text: string, currency: string): bigint | 'no decimal' | 'too precise' {
  const [, sign, whole, decimals = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) return 'no decimal';
  const digits = digitsOf(currency);
  const significant = decimals.replace(/(?<!0)0+$/, '');
  if (significant.length > digits) return 'too precise';
  const minor = BigInt(whole + significant.padEnd(digits, '0'));
  return sign ? -minor : minor;
}
