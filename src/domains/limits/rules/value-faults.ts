import { endpointFault, type ValueMatch } from './endpoint-match.js';
import type { Key } from './plain-rules.js';
import { addressFault } from './remote-address.js';

// The same as of platform/auth.ts, which the thread that reads documents cannot load: a test holds them equal.
const USER_ID = /^[^\p{C}\s]{1,64}$/u;
const PLAN = /^[^\p{C}]{1,64}$/u;

/** Why no request ever has a value that matches, or null. */
export function valueFault(key: Key, match: ValueMatch): string | null {
  if (match.kind === 'any') return null;
  // What a pattern says in so many characters, a value has to have too.
  const literals = match.text.replaceAll('*', '');
  switch (key) {
    case 'remote_address':
      return addressFault(match.text);
    case 'endpoint':
      return endpointFault(match);
    case 'user_id':
      return USER_ID.test(literals)
        ? null
        : 'no user is called so: 1 to 64 visible characters, without spaces';
    case 'plan':
      return PLAN.test(literals) ? null : 'no plan is called so: 1 to 64 printable characters';
    case 'api_key':
      return (match.kind === 'exact' ? /^[\da-f]{16}$/ : /^[\da-f]{1,16}$/).test(literals)
        ? null
        : 'api_key is the id of a key, 16 of 0 to 9 and small a to f, and not the key itself';
    default:
      return null;
  }
}
