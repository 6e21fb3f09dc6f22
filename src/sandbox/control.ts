import Fastify, { type FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Behaviour, Fault } from './behaviour.js';
import { answerPagesOf } from './cors.js';
import type { MessageStore } from './messages.js';
import { registerWebhookReceivers } from './webhooks.js';

export interface ControlDeps {
  readonly messages: MessageStore;
  readonly behaviour: Behaviour;
  readonly channels: readonly string[];
  /** Which faults may be set. */
  readonly faults: z.ZodType<Fault>;
  /** A new browser's PushSubscription. */
  readonly subscribe: () => object;
  /** Of the api, whose pages may read answers here; undefined while none is known. */
  readonly apiUrl: () => string | undefined;
}

/**
 * The face for people and tests, plain HTTP:
 * - `GET /messages?channel=&to=`: what arrived, newest last; `DELETE /messages` forgets it.
 * - `POST /subscriptions`: a new browser that takes Web Push; answers its PushSubscription.
 * - `/webhooks/NAME`: receivers of webhooks (see webhooks.ts).
 * - `PUT /behaviour`: sets one fault (see behaviour.ts); `GET` lists them, `DELETE` clears them all.
 *
 * Pages of the api may call it, and those of no other origin. What cannot be understood is answered with 400 and a sentence that says why.
 */
export function createControl(deps: ControlDeps): FastifyInstance {
  const { messages, behaviour, channels, faults, subscribe } = deps;
  const listing = z.strictObject({ channel: z.enum(channels).optional(), to: z.string().optional() });
  const control = Fastify({ forceCloseConnections: true });
  answerPagesOf(control, deps.apiUrl);

  control.setErrorHandler((error, _request, reply) => {
    if (error instanceof z.ZodError) return reply.code(400).send(problem(z.prettifyError(error)));
    const status = hasStatus(error) ? error.statusCode : 500;
    return reply.code(status).send(problem(error instanceof Error ? error.message : 'something went wrong'));
  });

  control.get('/messages', (request) => messages.list(listing.parse(request.query)));
  control.delete('/messages', (_request, reply) => {
    messages.clear();
    return reply.code(204).send();
  });

  control.post('/subscriptions', (_request, reply) => reply.code(201).send(subscribe()));

  registerWebhookReceivers(control);

  control.get('/behaviour', () => behaviour.list());
  control.put('/behaviour', (request) => {
    const wanted = faults.parse(request.body);
    behaviour.set(wanted);
    return wanted;
  });
  control.delete('/behaviour', (_request, reply) => {
    behaviour.clear();
    return reply.code(204).send();
  });

  return control;
}

function problem(message: string) {
  return { error: { message } };
}

function hasStatus(error: unknown): error is { statusCode: number } {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number';
}
