import { compilePattern } from './pattern.js';

/** Which values of a request a rule is for. */
export interface ValueMatch {
  /** `exact`: this text; `pattern`: with `*` for any run of characters; `any`: whatever it is. */
  readonly kind: 'exact' | 'pattern' | 'any';
  readonly text: string;
}

/** A descriptor's value as a matcher. `*` alone, or no value, is any. */
export function valueMatch(value: string | undefined): ValueMatch {
  const text = value?.replace(/\*+/g, '*') ?? '*';
  if (text === '*') return { kind: 'any', text };
  return { kind: text.includes('*') ? 'pattern' : 'exact', text };
}

/**
 * As `valueMatch`, with parameters: `GET /api/orders/{order_id}` and `GET /api/orders/:id` are exactly the endpoint
 * `GET /api/orders/*`, which is how requests name it.
 */
export function endpointMatch(value: string | undefined): ValueMatch {
  const named = value?.replace(/(?<=\/)(?:\{[^/{}]+\}|:[^/]+)(?=\/|$)/g, '*');
  if (named === undefined || value?.includes('*')) return valueMatch(named);
  return { kind: 'exact', text: named };
}

const ROUTE = /^[A-Z]+ \/[^\s?#]*$/;
const FIELD = /^(?:Query|Mutation|Subscription)\.[A-Za-z_]\w*$/;
/** What wrong credentials are charged to. */
const SIGN_IN = 'login';
/** All that comes before the first `*` of a pattern that some route matches. */
const BEGINS_ROUTE = /^[A-Z]*(?: (?:\/[^\s?#]*)?)?$/;
const BEGINS_FIELD = /^(?:Query|Mutation|Subscription)\.(?:[A-Za-z_]\w*)?$/;
const ROOT_TYPES = ['Query', 'Mutation', 'Subscription'];
const BEGINNINGS = [...ROOT_TYPES, SIGN_IN];

/** Why an endpoint, or a pattern, could never be met; null where it could. */
export function endpointFault({ kind, text }: ValueMatch): string | null {
  if (kind === 'any') return null;
  if (/^HEAD /.test(text)) return `HEAD counts as GET: write '${text.replace('HEAD', 'GET')}'`;
  if (kind === 'exact' ? isEndpoint(text) : couldMatch(text)) return null;
  const respelled = respell(text);
  const isMeant = kind === 'exact' ? isEndpoint(respelled) : couldMatch(respelled);
  const hint = isMeant ? `: write '${respelled}'` : '';
  return `an endpoint is 'METHOD /path', 'login', or a root field as 'Query.field', 'Mutation.field' or 'Subscription.field'${hint}`;
}

const isEndpoint = (text: string): boolean => text === SIGN_IN || ROUTE.test(text) || FIELD.test(text);

function couldMatch(pattern: string): boolean {
  const [beginning = ''] = pattern.split('*');
  if (/[?#]/.test(pattern)) return false;
  if (BEGINS_ROUTE.test(beginning) || BEGINS_FIELD.test(beginning)) return true;
  return BEGINNINGS.some((word) => word.startsWith(beginning));
}

/** Whether no root field is ever called so: the endpoint is a route, or `login`. */
export function isOfRoutes({ kind, text }: ValueMatch): boolean {
  if (kind === 'any') return false;
  if (kind === 'exact') return !isField(text);
  const [beginning = ''] = text.split('*');
  const begins = BEGINS_FIELD.test(beginning) || ROOT_TYPES.some((type) => type.startsWith(beginning));
  return !begins || /[ /]/.test(text);
}

/** Whether nothing but routes is ever called so. A request comes by one route: calls of it are requests. */
export const isOfRoutesAlone = (match: ValueMatch): boolean =>
  isOfRoutes(match) &&
  !isSignIn(match) &&
  !(match.kind === 'pattern' && compilePattern(match.text).matches(SIGN_IN));

/** As it was probably meant: `get /feed`, `mutation.placeOrder`. */
const respell = (text: string): string =>
  text
    .replace(/^[a-z]+(?= )/i, (method) => method.toUpperCase())
    .replace(
      /^(query|mutation|subscription)(?=\.)/i,
      (type) => type[0]!.toUpperCase() + type.slice(1).toLowerCase(),
    );

/**
 * Why a rule for such endpoints never holds on this server; null where it may.
 *
 * @param known every endpoint that the gate is asked about, as requests name it
 */
export function unknownEndpoint(match: ValueMatch, known: ReadonlySet<string>): string | null {
  const { kind, text } = match;
  if (kind === 'any' || text === SIGN_IN) return null;
  if (kind === 'exact') {
    if (known.has(text)) return null;
    return isField(text) ? 'there is no such root field' : 'there is no such route behind the gate';
  }
  const pattern = compilePattern(text);
  if ([SIGN_IN, ...known].some((endpoint) => pattern.matches(endpoint))) return null;
  return 'no root field, and no route behind the gate, matches';
}

/** Whether wrong credentials, and nothing else, are charged to an endpoint. */
export const isSignIn = ({ kind, text }: ValueMatch): boolean => kind === 'exact' && text === SIGN_IN;

/** Whether an endpoint is a root field of a GraphQL operation, not a route. */
export const isField = (endpoint: string): boolean => endpoint.includes('.') && !endpoint.includes(' ');
