import { ok, type Result } from '../../../platform/errors.js';
import { groupCommit } from '../../../platform/group-commit.js';
import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { inSpan, type SpanStart, tracer } from '../../../platform/tracing/tracing.js';
import { digestOf } from '../digests/gather.js';
import { canReplace } from '../grouping/rules.js';
import { type DeliverySteps, sortEvents } from '../lifecycle/steps.js';
import type { LifecycleStream } from '../lifecycle/stream.js';
import { type DeliveryStatus, type GroupingRule, maxRetriesOf } from '../types.js';
import { sql as statements } from './accept.sql.js';
import { DEDUP_WINDOW_MS, idReused } from './dedup.js';
import type { Acceptance, Draft } from './request.js';
import type { CheckedRequest } from './validate.js';

/** Everything that accepting a request stores. */
export interface Acceptable {
  readonly producer: string;
  readonly correlationId: string;
  readonly request: CheckedRequest;
  readonly fingerprint: string;
  readonly drafts: readonly Draft[];
  readonly response: Acceptance;
  readonly now: number;
  /** How its type is grouped; null where it is sent by itself. */
  readonly grouping: GroupingRule | null;
  /**
   * Everybody is left out: the request is refused and its id stays free, and its deliveries are stored for callers who ask
   * why, unless a request of this id is there already.
   */
  readonly isRefused?: true;
  /** W3C trace context with which its deliveries go on. */
  readonly traceparent?: string | null;
}

/** `fresh`: this call stored it, and its wake-up jobs are still to be enqueued. */
export interface Accepted {
  readonly fresh: boolean;
  readonly response: Acceptance;
}

/**
 * Stores a request with all its deliveries and their first lifecycle events, in one transaction. Of several calls
 * with one id and body, also at once, one stores and all answer its response.
 *
 * Refused with NOTIFICATION_ID_REUSED.
 */
export type Accept = (acceptable: Acceptable) => Promise<Result<Accepted>>;

const REQUESTS_A_CALL = 100;
/** A request with more deliveries is traced until it is accepted: a trace of thousands of deliveries is of no use. */
const MOST_TRACED = 100;
/** A call holds its ids until it has committed: others must not wait long for it. */
const DELIVERIES_A_CALL = 1_000;

/** Group commit: requests that come while others are being stored share the next transaction. */
export function createAccept(postgres: Queryable, lifecycle: LifecycleStream): Accept {
  async function store(acceptables: readonly Acceptable[]): Promise<readonly Result<Accepted>[]> {
    const results = await acceptAll(postgres, acceptables);
    lifecycle.publish(
      acceptables.flatMap((one, index) => {
        const result = results[index]!;
        return result.ok && result.value.fresh
          ? firstSteps(one.request, one.response.requestId, one.drafts, one.now)
          : [];
      }),
    );
    return results;
  }
  const make = (callsAtOnce: number) =>
    groupCommit<Acceptable, Result<Accepted>>({
      commit: store,
      maxItems: REQUESTS_A_CALL,
      keyOf: ({ producer, request }) => JSON.stringify([producer, request.notificationId]),
      weightOf: ({ drafts }) => drafts.length,
      maxWeight: DELIVERIES_A_CALL,
      callsAtOnce,
    });
  // What is urgent never waits behind a campaign of thousands.
  const acceptors = { high: make(2), medium: make(2), low: make(1) };
  return (acceptable) => {
    const { drafts, request } = acceptable;
    const acceptIt = acceptors[request.priority];
    const using = tracer();
    if (!using) return acceptIt(acceptable);
    return inSpan(using, spanOf(acceptable), ({ traceparent }) =>
      acceptIt(drafts.length > MOST_TRACED ? acceptable : { ...acceptable, traceparent }),
    );
  };
}

const spanOf = ({ drafts, request }: Acceptable): SpanStart => ({
  name: 'send notifications',
  kind: 'producer',
  attributes: {
    'messaging.system': 'tidings.mailboxes',
    'messaging.destination.name': 'notifications',
    'messaging.operation.name': 'accept',
    'messaging.operation.type': 'send',
    'messaging.batch.message_count': drafts.length,
    'tidings.notification.type': request.type,
    'tidings.notification.priority': request.priority,
  },
});

/** Stores requests in one call, no id of a producer twice: where it rejects, none of them. What came of each, in order. */
export async function acceptAll(
  postgres: Queryable,
  acceptables: readonly Acceptable[],
): Promise<readonly Result<Accepted>[]> {
  if (acceptables.length === 0) return [];
  const requests = `[${acceptables.map((one) => JSON.stringify(stored(one))).join()}]`;
  const { rows } = await postgres.query(statements.accept, [requests, DEDUP_WINDOW_MS]);
  return acceptables.map((acceptable, index) => toAccepted(acceptable, rows[index]!));
}

function toAccepted(
  { request, response }: Acceptable,
  row: RowOf<typeof statements.accept>,
): Result<Accepted> {
  switch (row.outcome) {
    case 'accepted':
    case 'refused':
      return ok({ fresh: true, response });
    case 'repeated':
      return ok({ fresh: false, response: row.response! });
    case 'reused':
      return idReused(request.notificationId);
  }
}

/** How the lives of a request's deliveries begin. */
export const firstSteps = (
  { priority, type: notificationType, templateId }: Pick<CheckedRequest, 'priority' | 'type' | 'templateId'>,
  requestId: string,
  drafts: readonly Draft[],
  now: number,
): readonly DeliverySteps[] =>
  drafts.map(({ deliveryId, channel, steps }) => ({
    deliveryId,
    requestId,
    channel,
    priority,
    notificationType,
    templateId,
    at: now,
    latencyMs: 0,
    ...sortEvents(steps),
  }));

/** One of the requests that accept_notifications takes. */
function stored({
  producer,
  correlationId,
  request,
  fingerprint,
  drafts,
  response,
  now,
  grouping,
  isRefused,
  traceparent,
}: Acceptable) {
  const fallbackChannels = request.fallbackChannels ?? [];
  const group = grouping && request.group && { ...request.group, windowMs: grouping.windowSeconds * 1_000 };
  return {
    producer,
    notificationId: request.notificationId,
    requestId: response.requestId,
    bodyHash: fingerprint,
    response,
    type: request.type,
    priority: request.priority,
    templateId: request.templateId,
    scheduleAt: request.scheduleAt ?? null,
    scheduleInLocalTime: request.scheduleInLocalTime ?? false,
    expiresAt: request.expiresAt ?? null,
    correlationId,
    at: new Date(now),
    maxRetries: maxRetriesOf(request.priority),
    ...(isRefused && { isRefused }),
    ...(traceparent && { traceparent }),
    ...(group && { group }),
    deliveries: drafts.map((draft) => ({
      deliveryId: draft.deliveryId,
      userId: draft.userId,
      channel: draft.channel,
      status: statusOf(draft),
      suppression: draft.suppression?.reason ?? null,
      content: draft.content ?? {},
      address: draft.address ?? null,
      // Whatever is decided or sent anew later is rendered anew.
      ...((draft.dueAt || fallbackChannels.length > 0) && { variables: draft.variables }),
      ...(fallbackChannels.length > 0 && { fallbackChannels }),
      ...(draft.dueAt && { dueAt: draft.dueAt }),
      ...(digestOf(draft) && { digest: digestOf(draft) }),
      ...(group && draft.dueAt && canReplace(draft.channel) && { isGrouped: true }),
      steps: draft.steps,
    })),
  };
}

export const statusOf = ({ suppression, dueAt }: Draft): DeliveryStatus =>
  suppression ? 'SUPPRESSED' : dueAt ? 'SCHEDULED' : 'QUEUED';
