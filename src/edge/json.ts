import { Big } from 'big.js';

/** A double carries any 15 significant digits. Most texts have no more in a row, and are not looked at any closer. */
export const MANY_DIGITS = /\d[\d.]{15}/;
/**
 * In well-formed JSON: its strings, which are passed over, and numbers of more digits than that. Where a string began, it
 * matches in any case: nothing is searched twice.
 */
const STRINGS_AND_LONG_NUMBERS = /"[^"\\]*(?:\\.[^"\\]*)*"?|\d[\d.]{15,}(?:[eE][+-]?\d+)?/g;

/** The error message for such a number. */
export const WOULD_BE_ROUNDED = 'A number that would be rounded must come as a string';

/**
 * Whether parsing a JSON text rounds one of its numbers, which its value no longer shows. What a double prints comes back as
 * the same double, however long it is, and is fine.
 *
 * @param text well-formed: it was parsed before
 */
export function roundsANumber(text: string): boolean {
  if (!MANY_DIGITS.test(text)) return false;
  // Not a reviver of JSON.parse: it recurses as deep as the client nests.
  for (const [token] of text.matchAll(STRINGS_AND_LONG_NUMBERS)) {
    if (token[0] === '"') continue;
    if (!isExact(token)) return true;
  }
  return false;
}

function isExact(number: string): boolean {
  const value = Number(number);
  // The exponent is the client's: Big would write out as many zeros as it says.
  if (!Number.isFinite(value) || value === 0) return !/[1-9]/.test(number);
  return new Big(number).eq(new Big(value));
}

/** Undefined where a text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
