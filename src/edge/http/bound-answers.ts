import type { FastifyInstance } from 'fastify';
import { PublicError } from '../../platform/errors.js';

/** Answers of more bytes become RESPONSE_TOO_LARGE. What streams (media) is as long as it is; GraphQL bounds its own. */
export function boundAnswers(app: FastifyInstance, maxBytes: number): void {
  app.addHook('onSend', (request, _reply, payload, done) => {
    const isLarge =
      typeof payload === 'string' && payload.length * 3 > maxBytes && Buffer.byteLength(payload) > maxBytes;
    if (!isLarge || request.routeOptions.url === '/graphql') return done(null, payload);
    done(
      new PublicError(
        'RESPONSE_TOO_LARGE',
        `The answer would have more than ${maxBytes} bytes: ask for less`,
      ),
    );
  });
}
