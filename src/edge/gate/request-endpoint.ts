import type { FastifyInstance } from 'fastify';
import type { GraphQLSchema } from 'graphql';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The path that rules name the route by, where it differs from the route's own: a deployment may place it anywhere. */
    namedAs?: string;
  }
}

const LONGEST_PATH = 256;

/** By method, then by the route's pattern. Routes are few, and never clients' invention. */
const known = new Map<string, Map<string, string>>();

/**
 * A request's endpoint as rules name it: `GET /api/orders/*`, with `*` for each parameter of the route. HEAD counts as
 * GET. Without a route it is the path as the client wrote it, without its query, 256 characters at most.
 *
 * @param routePattern as Fastify has it, e.g. `/api/orders/:id`, `/at/:hour(^\\d+$)h:minute`, `/files/*`
 */
export function endpointOf(method: string, routePattern: string | undefined, path: string): string {
  const verb = method === 'HEAD' ? 'GET' : method;
  if (routePattern === undefined) return `${verb} ${withoutQuery(path).slice(0, LONGEST_PATH)}`;
  return known.get(verb)?.get(routePattern) ?? learn(verb, routePattern);
}

function learn(verb: string, routePattern: string): string {
  const name = `${verb} ${withoutNames(routePattern)}`;
  const names = known.get(verb) ?? new Map<string, string>();
  known.set(verb, names.set(routePattern, name));
  return name;
}

function withoutQuery(path: string): string {
  const query = path.indexOf('?');
  return query === -1 ? path : path.slice(0, query);
}

/** As Fastify's router reads patterns: a name ends at `/`, `-`, `.`, its regex or its `?`; `::` is a colon. */
function withoutNames(pattern: string): string {
  let text = '';
  for (let i = 0; i < pattern.length; ) {
    if (pattern[i] !== ':') text += pattern[i++];
    else if (pattern[i + 1] === ':') {
      text += ':';
      i += 2;
    } else {
      text += '*';
      i = endOfParameter(pattern, i + 1);
    }
  }
  return text;
}

function endOfParameter(pattern: string, start: number): number {
  let i = start;
  while (i < pattern.length && !'/-.(?'.includes(pattern[i]!)) i += 1;
  if (pattern[i] === '(') i = endOfRegex(pattern, i);
  return pattern[i] === '?' ? i + 1 : i;
}

function endOfRegex(pattern: string, start: number): number {
  let depth = 0;
  for (let i = start; i < pattern.length; i += 1) {
    if (pattern[i] === '\\') i += 1;
    else if (pattern[i] === '(') depth += 1;
    else if (pattern[i] === ')') depth -= 1;
    if (depth === 0) return i + 1;
  }
  return pattern.length;
}

/**
 * Every root field, and every route that is added to `app` from now on, as requests name them: those whose rate limits are
 * checked, and the routes without a check.
 */
export function collectEndpoints(
  app: FastifyInstance,
  schema: GraphQLSchema,
): { readonly gated: ReadonlySet<string>; readonly open: ReadonlySet<string> } {
  const gated = new Set<string>();
  const open = new Set<string>();
  for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()])
    for (const field of Object.keys(type?.getFields() ?? {})) gated.add(`${type!.name}.${field}`);
  app.addHook('onRoute', ({ method, url, config }) => {
    const side = config?.gate === 'open' ? open : gated;
    for (const verb of [method].flat()) side.add(endpointOf(verb, config?.namedAs ?? url, url));
  });
  return { gated, open };
}
