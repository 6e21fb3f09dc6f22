import { endpointFault, endpointMatch } from '../domains/limits/rules/endpoint-match.js';
import { isPlan, isUserId } from '../platform/auth/auth.js';
import { PublicError } from '../platform/errors.js';
import type { RateLimitRequest } from '../platform/gate.js';
import { isAddress, networkOf } from '../schema/network.js';

/** One attribute of an imagined request. */
export interface Descriptor {
  readonly key: string;
  readonly value?: string | null;
}

const MOST_DESCRIPTORS = 20;
const MAX_COST = 2_147_483_647;

/** No token has this user, for its spaces: a plan's or a key's user whose counters nobody touched. */
const SOME_USER = 'a new user';
/** No client has this address: an anonymous caller whose counters nobody touched. */
const SOME_NETWORK = '0.0.0.0';

/** What is wrong with a key's value; null for nothing. */
const FAULTS: Readonly<Record<string, (value: string) => string | null>> = {
  user_id: (value) => (isUserId(value) ? null : 'user_id has 1 to 64 visible characters'),
  plan: (value) => (isPlan(value) ? null : 'plan has 1 to 64 printable characters'),
  remote_address: (value) => (isAddress(value) ? null : 'remote_address is an IPv4 or IPv6 address'),
  api_key: (value) => (isUserId(value) ? null : 'api_key is the id of a key, not the key itself'),
  endpoint: (value) => endpointFault(endpointMatch(value)),
  query_cost: (value) =>
    /^\d{1,10}$/.test(value) && Number(value) <= MAX_COST ? null : 'query_cost is a whole number',
};

/**
 * The request that descriptors describe. `endpoint` may come several times, each other key once. Who is not named is
 * somebody new: a user where a plan or an API key is given, else an anonymous caller.
 *
 * @throws PublicError BAD_USER_INPUT, which names the descriptor
 */
export function readDescriptors(descriptors: readonly Descriptor[]): RateLimitRequest {
  if (descriptors.length > MOST_DESCRIPTORS)
    throw new PublicError('BAD_USER_INPUT', `At most ${MOST_DESCRIPTORS} descriptors`, ['descriptors']);
  const values = new Map<string, string>();
  const endpoints = new Map<string, number>();
  for (const [index, { key, value }] of descriptors.entries()) {
    const fault = faultOf({ key, value: value ?? null }, values);
    if (fault) {
      const message = `Descriptor ${index} (${JSON.stringify(key.slice(0, 64))}): ${fault}`;
      throw new PublicError('BAD_USER_INPUT', message, ['descriptors', String(index)]);
    }
    if (key === 'endpoint') {
      const { text } = endpointMatch(value ?? undefined);
      endpoints.set(text, (endpoints.get(text) ?? 0) + 1);
    } else values.set(key, value ?? '');
  }
  return requestOf(values, endpoints);
}

function faultOf({ key, value }: { key: string; value: string | null }, given: ReadonlyMap<string, string>) {
  if (given.has(key)) return 'this key is given already';
  if (key === 'global') return value === null ? null : 'global has no value';
  const faultOfValue = Object.hasOwn(FAULTS, key) ? FAULTS[key] : undefined;
  if (!faultOfValue) return `there is no such key; there are ${Object.keys(FAULTS).join(', ')} and global`;
  return value === null || value === '' ? 'its value is missing' : faultOfValue(value);
}

function requestOf(
  values: ReadonlyMap<string, string>,
  endpoints: ReadonlyMap<string, number>,
): RateLimitRequest {
  const plan = values.get('plan') ?? null;
  const apiKeyId = values.get('api_key') ?? null;
  const isSomeUser = plan !== null || apiKeyId !== null;
  const cost = values.get('query_cost');
  return {
    caller: {
      userId: values.get('user_id') ?? (isSomeUser ? SOME_USER : null),
      plan,
      apiKeyId,
      network: networkOf(values.get('remote_address') ?? SOME_NETWORK),
    },
    endpoints,
    queryCost: cost === undefined ? null : Number(cost),
    part: 'whole',
  };
}
