import type { UserError } from '../../../platform/errors.js';
import type { RuleFault } from '../rules/rules.js';

const DESCRIBED = 3;

/** Where it is, and what is wrong. */
export const sentence = ({ line, column, message }: RuleFault): string =>
  `line ${line}, column ${column}: ${message}`;

/** The first few faults, in one line. */
export function describeFaults(faults: readonly RuleFault[]): string {
  const described = faults.slice(0, DESCRIBED).map(sentence).join('; ');
  return faults.length > DESCRIBED ? `${described}; and ${faults.length - DESCRIBED} more` : described;
}

/** A fault of a document that came in a mutation's input. */
export const toUserError = (fault: RuleFault): UserError => ({
  code: 'RATE_LIMIT_RULES_INVALID',
  message: sentence(fault),
  path: ['input', 'document', ...fault.path],
});
