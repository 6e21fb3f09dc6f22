import { z } from 'zod';
import { ok, type Result } from '../../../platform/errors.js';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import { maxRetriesOf } from '../types.js';
import { DEDUP_WINDOW_MS, idReused } from './dedup.js';
import type { Acceptance, Draft } from './request.js';
import type { CheckedRequest } from './validate.js';

const statements = loadStatements(new URL('./accept.sql', import.meta.url), ['accept']);

/** Everything that accepting a request stores. */
export interface Acceptable {
  readonly producer: string;
  readonly correlationId: string;
  readonly request: CheckedRequest;
  readonly fingerprint: string;
  readonly drafts: readonly Draft[];
  readonly response: Acceptance;
  readonly now: number;
}

/** `fresh`: this call stored it, and its doorbells are still to be rung. */
export interface Accepted {
  readonly fresh: boolean;
  readonly response: Acceptance;
}

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('accepted') }),
  z.object({ outcome: z.literal('repeated'), response: z.custom<Acceptance>() }),
  z.object({ outcome: z.literal('reused') }),
]);

/**
 * Stores a request with all its deliveries and their first lifecycle events, in one transaction. Of several calls
 * with one id and body, also at once, one stores and all answer its response.
 *
 * Refused with NOTIFICATION_ID_REUSED.
 */
export async function accept(postgres: Queryable, acceptable: Acceptable): Promise<Result<Accepted>> {
  const { rows } = await postgres.query<{ outcome: unknown }>(statements.accept, [
    JSON.stringify(stored(acceptable)),
  ]);
  const result = outcome.parse(rows[0]?.outcome);
  switch (result.outcome) {
    case 'accepted':
      return ok({ fresh: true, response: acceptable.response });
    case 'repeated':
      return ok({ fresh: false, response: result.response });
    case 'reused':
      return idReused(acceptable.request.notificationId);
  }
}

/** The argument of accept_notification. */
function stored({ producer, correlationId, request, fingerprint, drafts, response, now }: Acceptable) {
  return {
    producer,
    notificationId: request.notificationId,
    requestId: response.requestId,
    bodyHash: fingerprint,
    response,
    type: request.type,
    priority: request.priority,
    templateId: request.templateId,
    expiresAt: request.expiresAt ?? null,
    correlationId,
    at: new Date(now),
    forgetBefore: new Date(now - DEDUP_WINDOW_MS),
    maxRetries: maxRetriesOf(request.priority),
    deliveries: drafts.map((draft) => ({
      deliveryId: draft.deliveryId,
      userId: draft.userId,
      channel: draft.channel,
      status: draft.suppression ? 'SUPPRESSED' : 'QUEUED',
      suppression: draft.suppression?.reason ?? null,
      content: draft.content ?? {},
      address: draft.address ?? null,
      steps: draft.steps,
    })),
  };
}
