import { type Caller, isAdmin } from '../../../platform/auth/caller.js';
import type { Clock } from '../../../platform/clock.js';
import { ok, type Result, refused, refusedAll } from '../../../platform/errors.js';
import type { Ids } from '../../../platform/ids.js';
import type { Postgres } from '../../../platform/postgres/postgres.js';
import type { Alerts } from '../alerts/index.js';
import { type Allowed, checkFields, type WebhookFields } from './check.js';
import { untilReceiversAreRead } from './current-receiver.js';
import { DISABLED_ALERT } from './disable.js';
import type { EventTypes } from './event-types.js';
import { findWebhook, findWebhookToDelete } from './find.js';
import type { SecretKeeper } from './secrets.js';
import { MOST_FOLLOWING, MOST_WEBHOOKS, OVERLAP_MS, type Webhook } from './webhook.js';
import { sql as statements } from './webhooks.sql.js';

export interface WebhookCommandDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly alerts: Pick<Alerts, 'report'>;
  readonly types: EventTypes;
  /** Absent where the configuration has no key: then no webhook can be made. */
  readonly secrets: SecretKeeper | null;
  readonly allowPrivate: boolean;
}

export interface NewWebhook {
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly notificationTypes: readonly string[];
}

export interface WebhookChange extends WebhookFields {
  readonly webhookId: string;
  readonly isActive?: boolean | undefined;
}

/** A webhook with the secret that its receiver checks signatures by, which nobody is shown again. */
export interface WithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

/** What waits for so many notifications is tried at once when a webhook is switched on or gets another URL; all else within an hour. */
const WOKEN_AT_ONCE = 1_000;

/**
 * Makes a webhook of the caller's.
 *
 * Refused with WEBHOOK_URL_REFUSED, EVENT_TYPE_UNKNOWN, TYPE_INVALID, TOO_MANY_TYPES, TOO_MANY_WEBHOOKS or WEBHOOK_KEY_MISSING.
 */
export async function createWebhook(
  deps: WebhookCommandDeps,
  caller: Caller,
  input: NewWebhook,
): Promise<Result<WithSecret>> {
  const { postgres, clock, ids, secrets } = deps;
  if (!secrets) return noKey;
  const ownerId = caller.viewer.userId;
  const faults = checkFields(input, allowedFor(deps, caller, ownerId));
  if (faults.length > 0) return refusedAll(faults);
  const webhookId = ids.next();
  const { shown, stored } = secrets.make(webhookId);
  const types = typesIn(deps, input);
  const added = await postgres.transaction(async (tx) => {
    await tx.query(statements.lockOwner, [ownerId]);
    return tx.query(statements.add, [
      ...[webhookId, ownerId, input.url, types.eventTypes, unique(input.notificationTypes)],
      ...[types.followsLifecycle, types.followsLog, stored, new Date(clock.now())],
      ...[MOST_WEBHOOKS, MOST_FOLLOWING],
    ]);
  });
  const webhook = added.rows[0];
  return webhook ? ok({ webhook, secret: shown }) : tooMany;
}

/**
 * Changes what is given. One that is switched on, or gets another URL, starts again with what waits. Once it is answered, no request
 * begins to a former URL, or to one that is switched off.
 *
 * Refused with NOT_FOUND, and as `createWebhook`.
 */
export async function updateWebhook(
  deps: WebhookCommandDeps,
  caller: Caller,
  { webhookId, ...change }: WebhookChange,
): Promise<Result<Webhook>> {
  const known = await findWebhook(deps.postgres, caller, webhookId);
  if (!known) return unknown;
  const faults = checkFields(change, allowedFor(deps, caller, known.ownerId));
  if (faults.length > 0) return refusedAll(faults);
  const types = change.eventTypes && typesIn(deps, { eventTypes: change.eventTypes });
  const { rows } = await deps.postgres.transaction(async (tx) => {
    await tx.query(statements.lockOwner, [known.ownerId]);
    return tx.query(statements.change, [
      ...[known.webhookId, change.url ?? null, types?.eventTypes ?? null],
      ...[change.notificationTypes ? unique(change.notificationTypes) : null],
      ...[types?.followsLifecycle ?? null, types?.followsLog ?? null, change.isActive ?? null],
      ...[new Date(deps.clock.now()), isAdmin(caller), MOST_FOLLOWING],
    ]);
  });
  if (!rows[0]) return (await findWebhook(deps.postgres, caller, webhookId)) ? tooMany : unknown;
  if (change.isActive === false || change.url !== undefined) await untilReceiversAreRead();
  if (change.isActive === true)
    await deps.alerts.report.resolve({ name: DISABLED_ALERT, scope: known.webhookId });
  if (change.isActive === true || (change.url !== undefined && change.url !== known.url))
    await deps.postgres.query(statements.wake, [known.webhookId, WOKEN_AT_ONCE]);
  return ok(rows[0]);
}

/** Once it is answered, no request begins any more, and what was recorded of it is nobody's. Refused with NOT_FOUND. */
export async function deleteWebhook(
  deps: WebhookCommandDeps,
  caller: Caller,
  webhookId: string,
): Promise<Result<string>> {
  const known = await findWebhookToDelete(deps.postgres, caller, webhookId);
  if (!known) return unknown;
  const now = new Date(deps.clock.now());
  const { rows } = await deps.postgres.query(statements.remove, [known.webhookId, now]);
  if (!rows[0]) return unknown;
  await untilReceiversAreRead();
  await deps.alerts.report.resolve({ name: DISABLED_ALERT, scope: known.webhookId });
  return ok(rows[0].webhookId);
}

/**
 * A new secret, which signs all requests that begin once it is answered; the one before signs as well for 24 hours, and those before that
 * no more. Refused with NOT_FOUND or WEBHOOK_KEY_MISSING.
 */
export async function rotateWebhookSecret(
  { postgres, clock, secrets }: WebhookCommandDeps,
  caller: Caller,
  webhookId: string,
): Promise<Result<WithSecret>> {
  if (!secrets) return noKey;
  const known = await findWebhook(postgres, caller, webhookId);
  if (!known) return unknown;
  const { shown, stored } = secrets.make(known.webhookId);
  const until = new Date(clock.now() + OVERLAP_MS);
  const { rows } = await postgres.query(statements.rotate, [
    ...[known.webhookId, stored, until, isAdmin(caller)],
  ]);
  if (!rows[0]) return unknown;
  await untilReceiversAreRead();
  return ok({ webhook: rows[0], secret: shown });
}

export const unknown = refused('NOT_FOUND', 'There is no such webhook', ['input', 'webhookId']);
const tooMany = refused(
  'TOO_MANY_WEBHOOKS',
  `A producer has at most ${MOST_WEBHOOKS} webhooks, and at most ${MOST_FOLLOWING} active ones that follow lifecycle events`,
);
const noKey = refused(
  'WEBHOOK_KEY_MISSING',
  'This server has no key to keep secrets by: set WEBHOOK_KEY or AUTH_SECRET',
);

/** Only an admin's own webhook gets events of the log: what somebody else's gets, they could not read themselves. */
const allowedFor = (
  { types, allowPrivate }: WebhookCommandDeps,
  caller: Caller,
  ownerId: string,
): Allowed => ({
  types,
  allowPrivate,
  mayFollowLog: isAdmin(caller) && caller.viewer.userId === ownerId,
});

function typesIn({ types }: WebhookCommandDeps, { eventTypes }: Pick<NewWebhook, 'eventTypes'>) {
  return {
    eventTypes: unique(eventTypes),
    followsLifecycle: eventTypes.some((type) => types.lifecycle.includes(type)),
    followsLog: eventTypes.some((type) => types.log.includes(type)),
  };
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)];
