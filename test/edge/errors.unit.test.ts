import type { FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';
import pg from 'pg';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { createMasking } from '../../src/edge/errors.js';
import { describeHttpError } from '../../src/edge/http/server.js';
import { PublicError } from '../../src/platform/errors.js';

function open() {
  const onMasked = vi.fn();
  const logger = pino({ level: 'silent' });
  const error = vi.spyOn(logger, 'error');
  vi.spyOn(logger, 'child').mockReturnValue(logger as never);
  const masking = createMasking({ ids: { next: () => 'id' }, suggestions: false, onMasked });
  return { masking, onMasked, logger, error };
}

const requestOf = (errored: Error | null = null) => ({ id: 'c', raw: { errored } }) as FastifyRequest;

const goingDown = Object.assign(new pg.DatabaseError('terminating connection', 0, 'error'), {
  code: '57P01',
});

it.each([
  Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' }),
  new Error('timeout exceeded when trying to connect'),
  goingDown,
  Object.assign(new Error('Can’t reach database server'), { code: 'P1001' }),
])('that a dependency is away is said without its words, and logged: %s', (cause) => {
  const { masking, onMasked, logger, error } = open();
  const thrown = new GraphQLError(cause.message, { originalError: cause, path: ['order'] });
  expect(masking.present(thrown, { logger }).toJSON()).toEqual({
    message: 'A dependency is away: try again',
    path: ['order'],
    extensions: { code: 'SERVICE_UNAVAILABLE', retryAfter: 2 },
  });
  expect(error).toHaveBeenCalledWith({ err: cause, path: ['order'] }, expect.any(String));

  expect(describeHttpError(cause, requestOf(), { masking, logger })).toEqual({
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    message: 'A dependency is away: try again',
    retryAfter: 2,
  });
  expect(onMasked).not.toHaveBeenCalled();
});

it('a client that hung up is the cause of its own failure: no dependency is away', () => {
  const { masking, onMasked, logger, error } = open();
  const aborted = Object.assign(new Error('aborted'), { code: 'ECONNRESET', statusCode: 400 });
  expect(describeHttpError(aborted, requestOf(aborted), { masking, logger })).toMatchObject({
    status: 400,
    code: 'BAD_USER_INPUT',
  });
  expect(error).not.toHaveBeenCalled();
  expect(onMasked).not.toHaveBeenCalled();
});

it('every other surprise stays an internal error', () => {
  const { masking, onMasked, logger } = open();
  const presented = masking.present(new Error('a bug'), { logger });
  expect(presented.extensions).toEqual({ code: 'INTERNAL_ERROR', errorId: 'id' });
  expect(onMasked).toHaveBeenCalledOnce();
});

it('a suggestion is left out, and what a client wrote like one stays', () => {
  const { masking } = open();
  const shownOf = (message: string) => masking.requestError('GRAPHQL_VALIDATION_FAILED', message).message;
  expect(shownOf('Cannot query field "fed" on type "Query". Did you mean "feed" or "node"?')).toBe(
    'Cannot query field "fed" on type "Query".',
  );
  expect(shownOf('Unexpected String "Did you mean it?". Did you mean "feed"?')).toBe(
    'Unexpected String "Did you mean it?".',
  );
  expect(shownOf('Unknown operation named "Did you mean it?"')).toBe(
    'Unknown operation named "Did you mean it?"',
  );
});

it('a message repeats little of a long text, and keeps its start and end', () => {
  const { masking, logger } = open();
  const message = `Variable "$x" got invalid value "${'🎈'.repeat(300_000)}"; Int cannot represent it`;
  for (const error of [
    masking.requestError('BAD_USER_INPUT', message),
    masking.present(new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } }), { logger }),
    masking.present(new PublicError('BAD_USER_INPUT', message), { logger }),
  ]) {
    expect(error.message.length).toBeLessThanOrEqual(2_000);
    expect(error.message).toMatch(/^Variable "\$x" got invalid value "🎈.*"; Int cannot represent it$/u);
    expect(error.message.isWellFormed()).toBe(true);
  }
});

it('text of a client that repeats how a suggestion begins is answered at once', () => {
  const { masking } = open();
  const name = 'Did you mean '.repeat(40_000);
  // Searched from each of them to the end, it takes most of a minute.
  const before = performance.now();
  masking.requestError('OPERATION_RESOLUTION_FAILURE', `Unknown operation named "${name}"`);
  masking.requestError('OPERATION_RESOLUTION_FAILURE', `Unknown operation named ${name}?`);
  expect(performance.now() - before).toBeLessThan(5_000);
});
