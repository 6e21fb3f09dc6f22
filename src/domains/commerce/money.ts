import { ok, type Result, refused } from '../../platform/errors.js';

/** Amounts beyond this many minor units are refused: they would not survive a JSON number. */
const MAX_MINOR_UNITS = BigInt(Number.MAX_SAFE_INTEGER);
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const digitsByCurrency = new Map<string, number>();

/** Upper-case ISO 4217, as the runtime knows them. */
export const isCurrency = (code: string): boolean => currencies.has(code);

/** How many decimals a currency has: 2 for USD, 0 for JPY, 3 for KWD. */
export function digitsOf(currency: string): number {
  let digits = digitsByCurrency.get(currency);
  if (digits === undefined) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    digits = format.resolvedOptions().maximumFractionDigits ?? 0;
    digitsByCurrency.set(currency, digits);
  }
  return digits;
}

/**
 * Reads an amount to move, in minor units: positive, with no more decimals than the currency has.
 *
 * Refuses with AMOUNT_NOT_POSITIVE, AMOUNT_TOO_PRECISE or AMOUNT_TOO_LARGE.
 *
 * @param text a plain decimal, e.g. `12.5`
 */
export function parseAmount(text: string, currency: string, path: readonly string[]): Result<bigint> {
  if (/^\D|^[0.]+$/.test(text)) {
    return refused('AMOUNT_NOT_POSITIVE', 'The amount must be above zero', path);
  }
  return parseAmountOrZero(text, currency, path);
}

/**
 * Reads an amount that may be zero, in minor units.
 *
 * Refuses with AMOUNT_NEGATIVE, AMOUNT_TOO_PRECISE or AMOUNT_TOO_LARGE.
 *
 * @param text a plain decimal, e.g. `12.5`
 */
export function parseAmountOrZero(text: string, currency: string, path: readonly string[]): Result<bigint> {
  const [, whole, decimals = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return refused('AMOUNT_NEGATIVE', 'The amount must not be below zero', path);
  const digits = digitsOf(currency);
  const significant = decimals.replace(/0+$/, '');
  if (significant.length > digits) {
    return refused('AMOUNT_TOO_PRECISE', `An amount in ${currency} has at most ${digits} decimals`, path);
  }
  const minor = BigInt(whole + significant.padEnd(digits, '0'));
  return isHoldable(minor) ? ok(minor) : refused('AMOUNT_TOO_LARGE', 'The amount is too large', path);
}

/** Whether an amount or a balance stays within what is kept exactly everywhere. */
export const isHoldable = (minor: bigint): boolean => minor <= MAX_MINOR_UNITS;

/** Minor units as a decimal with all of the currency's digits: 1250 USD is `12.50`. */
export function formatAmount(minor: bigint, currency: string): string {
  const digits = digitsOf(currency);
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return `${minor < 0n ? '-' : ''}${whole}${digits > 0 ? `.${text.slice(-digits)}` : ''}`;
}

/** Reads what `formatAmount` wrote. */
export function minorUnitsOf(text: string, currency: string): bigint {
  const parsed = parseAmountOrZero(text, currency, []);
  if (!parsed.ok) throw new RangeError(`${text} is no amount in ${currency}`);
  return parsed.value;
}
