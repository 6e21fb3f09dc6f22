import type { UserError } from '../../platform/errors.js';
import { VISIBLE_CHARACTER } from '../../platform/text.js';

/** What the text in one input field must be like. */
interface Rule {
  readonly code: string;
  readonly message: string;
  readonly shape: RegExp;
}

const idRule = (noun: string): Rule => ({
  code: 'ID_INVALID',
  message: `${noun} id has 1 to 200 letters, digits and . _ : @ -, and starts with a letter or digit`,
  shape: /^[A-Za-z0-9][A-Za-z0-9._:@-]{0,199}$/,
});
export const accountIdRule: Rule = idRule('An account');
export const customerIdRule: Rule = idRule('A customer');
export const productIdRule: Rule = idRule('A product');
export const orderIdRule: Rule = idRule('An order');
export const commandIdRule: Rule = {
  code: 'ID_INVALID',
  message: 'A command id has 1 to 128 visible ASCII characters',
  shape: /^[\x21-\x7e]{1,128}$/,
};
export const userIdRule: Rule = {
  code: 'ID_INVALID',
  message: 'A user id has 1 to 64 visible characters',
  shape: /^[^\p{C}\s]{1,64}$/u,
};

/** Line and paragraph separators, and what turns the direction of the text around it: they belie how a text reads. */
const BELYING = '\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069';

/** What is required has something to see. */
const required = (least: 0 | 1): string => (least === 0 ? '' : `(?=[^]*${VISIBLE_CHARACTER})`);

/** Text on one line: no control characters, and no half surrogate pair, which cannot be stored. */
const line = (code: string, what: string, least: 0 | 1, most: number): Rule => ({
  code,
  message: `${what} has ${least === 0 ? 'at most' : '1 to'} ${most} characters, no line breaks or direction controls among them`,
  shape: new RegExp(`^${required(least)}[^\\p{Cc}\\p{Cs}${BELYING}]{0,${most}}$`, 'u'),
});
/** In characters. */
export const MAX_NAME = 100;
/** In characters. */
export const MAX_PRODUCT_NAME = 200;
export const firstNameRule: Rule = line('NAME_INVALID', 'A first name', 1, MAX_NAME);
export const lastNameRule: Rule = line('NAME_INVALID', 'A last name', 0, MAX_NAME);
export const productNameRule: Rule = line('NAME_INVALID', 'A product’s name', 1, MAX_PRODUCT_NAME);
export const streetRule: Rule = line('ADDRESS_INVALID', 'A street', 0, 200);
export const cityRule: Rule = line('ADDRESS_INVALID', 'A city', 1, 100);
export const zipRule: Rule = line('ADDRESS_INVALID', 'A zip', 1, 100);
export const countryRule: Rule = line('ADDRESS_INVALID', 'A country', 0, 100);
export const referenceRule: Rule = line('REFERENCE_INVALID', 'A reference', 0, 200);
/** A shape that mail servers take, not a promise that somebody reads it. */
export const emailRule: Rule = {
  code: 'EMAIL_INVALID',
  message: 'email must be a mail address of at most 320 characters',
  shape: /^(?=.{1,320}$)[^\s\p{C}@<>()[\],;:\\"]{1,64}@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/iu,
};
export const trackingNumberRule: Rule = {
  code: 'TRACKING_NUMBER_INVALID',
  message: 'A tracking number has 1 to 100 visible characters',
  shape: /^[^\p{C}\s]{1,100}$/u,
};

/** Text of several lines: no NUL and no half surrogate pair, neither of which can be stored. */
const prose = (code: string, what: string, least: 0 | 1, most: number): Rule => ({
  code,
  message: `${what} has ${least === 0 ? 'at most' : '1 to'} ${most} characters, no direction controls among them`,
  shape: new RegExp(`^${required(least)}[^\\0\\p{Cs}${BELYING}]{0,${most}}$`, 'u'),
});
export const descriptionRule: Rule = prose('DESCRIPTION_INVALID', 'A description', 0, 500);
export const reasonRule: Rule = prose('REASON_INVALID', 'A reason', 1, 500);

/** A rule, what it is held against (null passes), and the input field's name, or its path where it lies deeper. */
export type Check = readonly [rule: Rule, text: string | null, field: string | readonly string[]];

/** Every fault at once. */
export const checkAll = (checks: readonly Check[]): UserError[] =>
  checks
    .filter(([rule, text]) => text !== null && !rule.shape.test(text))
    .map(([{ code, message }, , field]) => ({ code, message, path: ['input', field].flat() }));

export const isAccountId = (text: string): boolean => accountIdRule.shape.test(text);
