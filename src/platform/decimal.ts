import { Big } from 'big.js';

const DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;
const MAX_LENGTH = 40;
/** A double carries this many significant digits; a longer number has been rounded before anybody could look. */
const EXACT_DIGITS = 15;

/**
 * Reads an exact decimal as it comes over the wire: text like `12.50`, or a JSON number of at most 15 significant
 * digits. Kept as text, so that no digit is lost.
 *
 * @throws RangeError saying what is wrong with it
 */
export function readDecimal(value: unknown): string {
  if (typeof value === 'string') return readDecimalText(value);
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new RangeError('A decimal is a number or a string');
  const exact = new Big(value);
  if (exact.c.length > EXACT_DIGITS) {
    throw new RangeError(`A decimal of more than ${EXACT_DIGITS} digits must come as a string`);
  }
  return exact.toFixed();
}

/** @throws RangeError where the text is no plain decimal */
export function readDecimalText(text: string): string {
  if (text.length > MAX_LENGTH || !DECIMAL.test(text)) throw new RangeError('A decimal must look like 12.50');
  return text;
}
