import type { UserError } from '../../platform/errors.js';

/** What the text in one input field must be like. */
interface Rule {
  readonly code: string;
  readonly message: string;
  readonly shape: RegExp;
}

export const accountIdRule: Rule = {
  code: 'ID_INVALID',
  message: 'An account id has 1 to 200 letters, digits and . _ : @ -, and starts with a letter or digit',
  shape: /^[A-Za-z0-9][A-Za-z0-9._:@-]{0,199}$/,
};
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
/** No NUL and no half surrogate pair: neither can be stored. */
export const descriptionRule: Rule = {
  code: 'DESCRIPTION_INVALID',
  message: 'A description has at most 500 characters',
  shape: /^[^\0\p{Cs}]{0,500}$/u,
};

/** A rule, what it is held against (null passes), and the name of the input field. */
export type Check = readonly [rule: Rule, text: string | null, field: string];

/** Every fault at once. */
export const checkAll = (checks: readonly Check[]): UserError[] =>
  checks
    .filter(([rule, text]) => text !== null && !rule.shape.test(text))
    .map(([{ code, message }, , field]) => ({ code, message, path: ['input', field] }));

export const isAccountId = (text: string): boolean => accountIdRule.shape.test(text);
