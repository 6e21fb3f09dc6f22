import { GraphQLError, locatedError } from 'graphql';
import type { Mentions } from './collect-fields.js';

type Where = Pick<GraphQLError, 'nodes' | 'source' | 'positions' | 'locations'>;

const known = new WeakMap<Mentions, Where>();

/**
 * `locatedError`, which counts the document's lines for each node of each error: here once for each field. A list of failing
 * items in a document of 900 kB, most of it blanks, would take seconds.
 */
export function locatedAt(raw: unknown, nodes: Mentions, path: readonly (string | number)[]): GraphQLError {
  if (saysWhere(raw)) return locatedError(raw, nodes, path);
  return Object.assign(locatedError(raw, undefined, path), whereOf(nodes));
}

function saysWhere(raw: unknown): boolean {
  if (!(raw instanceof Error)) return false;
  const { path, nodes, source, positions } = raw as Partial<GraphQLError>;
  return Boolean(path ?? nodes ?? source ?? positions);
}

function whereOf(mentions: Mentions): Where {
  const before = known.get(mentions);
  if (before) return before;
  const { nodes, source, positions, locations } = new GraphQLError('', { nodes: mentions });
  const where = { nodes, source, positions, locations };
  known.set(mentions, where);
  return where;
}
