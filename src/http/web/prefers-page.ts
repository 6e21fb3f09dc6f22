import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

/** Whether a request is a browser's that would show what comes: others, which take anything, get what programs read. */
export const prefersPage = ({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  new Negotiator({ headers }).mediaType(['application/json', 'text/markdown', 'text/html']) === 'text/html';
