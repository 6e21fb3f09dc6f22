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
/** All that stands before the first `*` of a pattern that some route matches. */
const BEGINS_ROUTE = /^[A-Z]*(?: (?:\/[^\s?#]*)?)?$/;
const BEGINS_FIELD = /^(?:Query|Mutation|Subscription)\.(?:[A-Za-z_]\w*)?$/;
const BEGINNINGS = ['Query', 'Mutation', 'Subscription', 'login'];

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

const isEndpoint = (text: string): boolean => text === 'login' || ROUTE.test(text) || FIELD.test(text);

function couldMatch(pattern: string): boolean {
  const [beginning = ''] = pattern.split('*');
  if (/[?#]/.test(pattern)) return false;
  if (BEGINS_ROUTE.test(beginning) || BEGINS_FIELD.test(beginning)) return true;
  return BEGINNINGS.some((word) => word.startsWith(beginning));
}

/** As it was probably meant: `get /feed`, `mutation.placeOrder`. */
const respell = (text: string): string =>
  text
    .replace(/^[a-z]+(?= )/i, (method) => method.toUpperCase())
    .replace(
      /^(query|mutation|subscription)(?=\.)/i,
      (type) => type[0]!.toUpperCase() + type.slice(1).toLowerCase(),
    );

/** Whether an endpoint is a root field of a GraphQL operation, not a route. */
export const isField = (endpoint: string): boolean => endpoint.includes('.') && !endpoint.includes(' ');
