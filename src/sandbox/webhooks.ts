import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';

/** How a receiver behaves. What is left out stays as it is. */
const behaviour = z.strictObject({
  /** Checks signatures by it: `whsec_…`. Until there is one, every request is taken. */
  secret: z.string().startsWith('whsec_').optional(),
  /** Answers so instead of 204. */
  status: z.number().int().min(200).max(599).optional(),
  /** Waits so long before it answers. */
  latencyMs: z.number().min(0).max(600_000).optional(),
  /** How many requests `status` and `latencyMs` hit; all where it is absent. */
  times: z.number().int().min(1).optional(),
});

/** A request that a receiver got. */
interface Received {
  readonly webhookId: string;
  /** Null where no secret was set. */
  readonly isVerified: boolean | null;
  /** What it was answered. */
  readonly status: number;
  readonly body: unknown;
}

interface Receiver {
  behaviour: z.infer<typeof behaviour>;
  received: Received[];
}

const KEPT = 10_000;
const name = z.object({ name: z.string().regex(/^[\w-]{1,64}$/) });

/**
 * Receivers of webhooks, as many as are named:
 * - `POST /webhooks/NAME` takes an event: 204; 401 where its signature is not by the receiver's secret.
 * - `PUT /webhooks/NAME` sets `secret`, `status`, `latencyMs` and `times`.
 * - `GET /webhooks/NAME`: what it got, newest last; `DELETE` forgets that, and how it behaves.
 */
export function registerWebhookReceivers(control: FastifyInstance): void {
  const receivers = new Map<string, Receiver>();

  function receiverOf(params: unknown): Receiver {
    const { name: named } = name.parse(params);
    const receiver = receivers.get(named) ?? { behaviour: {}, received: [] };
    receivers.set(named, receiver);
    return receiver;
  }

  control.put('/webhooks/:name', (request, reply) => {
    const receiver = receiverOf(request.params);
    const { status, latencyMs, times, ...kept } = receiver.behaviour;
    receiver.behaviour = { ...kept, ...behaviour.parse(request.body) };
    return reply.code(204).send();
  });
  control.get('/webhooks/:name', (request) => receiverOf(request.params).received);
  control.delete('/webhooks/:name', (request, reply) => {
    receivers.delete(name.parse(request.params).name);
    return reply.code(204).send();
  });

  control.register(async (taking) => {
    // A signature is of the text as it came.
    taking.removeAllContentTypeParsers();
    taking.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    taking.post('/webhooks/:name', async (request, reply) => {
      const receiver = receiverOf(request.params);
      const text = String(request.body);
      const { secret } = receiver.behaviour;
      const isVerified = secret === undefined ? null : verifies(secret, text, request.headers);
      const fault = takeFault(receiver);
      if (fault.latencyMs) await delay(fault.latencyMs);
      const status = isVerified === false ? 401 : (fault.status ?? 204);
      const webhookId = String(request.headers['webhook-id']);
      receiver.received = [
        ...receiver.received.slice(1 - KEPT),
        { webhookId, isVerified, status, body: JSON.parse(text) },
      ];
      return reply.code(status).send(status === 204 ? undefined : { received: status < 300 });
    });
  });
}

function verifies(secret: string, text: string, headers: Readonly<Record<string, unknown>>): boolean {
  const own = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  try {
    new Webhook(secret).verify(text, Object.fromEntries(own.map((name) => [name, String(headers[name])])));
    return true;
  } catch {
    return false;
  }
}

/** The fault that hits this request; counts it. */
function takeFault(receiver: Receiver): Pick<z.infer<typeof behaviour>, 'status' | 'latencyMs'> {
  const { status, latencyMs, times, ...kept } = receiver.behaviour;
  if (times !== undefined)
    receiver.behaviour = times === 1 ? kept : { ...receiver.behaviour, times: times - 1 };
  return { ...(status !== undefined && { status }), ...(latencyMs !== undefined && { latencyMs }) };
}
