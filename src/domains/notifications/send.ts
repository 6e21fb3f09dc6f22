import type { Caller } from '../../platform/caller.js';
import type { Clock } from '../../platform/clock.js';
import { ok, type Result, refused } from '../../platform/errors.js';
import type { Ids } from '../../platform/ids.js';
import type { Logger } from '../../platform/logger.js';
import type { Postgres } from '../../platform/postgres.js';
import type { Queues } from '../../platform/queues.js';
import { mailboxOf, ring } from './delivery/ring.js';
import { accept } from './intake/accept.js';
import { toAcceptance } from './intake/acceptance.js';
import { dedup, fingerprint } from './intake/dedup.js';
import { draftDeliveries } from './intake/drafts.js';
import { applyPreferences } from './intake/preferences.js';
import { loadProfiles } from './intake/profiles.js';
import { loadTemplates, renderDrafts } from './intake/render.js';
import type { Acceptance, Draft, SendRequest } from './intake/request.js';
import { routeDrafts } from './intake/route.js';
import { type CheckedRequest, validate } from './intake/validate.js';
import { channels } from './types.js';

export interface SendDeps {
  readonly postgres: Postgres;
  readonly queues: Queues;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

/**
 * Accepts a producer's request: once this answers, its deliveries are in Postgres and will be made. The same
 * notification id and body again, also at once, answers the first result.
 *
 * Refused, with nothing stored, with what `validate` refuses, NOTIFICATION_ID_REUSED, TEMPLATE_NOT_FOUND,
 * what `renderDrafts` refuses, or NOTHING_TO_SEND where every recipient was left out.
 */
export async function sendNotification(
  deps: SendDeps,
  caller: Caller,
  request: SendRequest,
): Promise<Result<Acceptance>> {
  const now = deps.clock.now();
  const producer = caller.viewer.userId;

  const key = { notificationId: request.notificationId, fingerprint: fingerprint(request) };
  const checked = validate(request, now);
  // A repeat may come after the request's expiry: what was accepted stays accepted.
  if (!checked.ok && !onlyExpired(checked.errors)) return checked;
  const earlier = await dedup(deps.postgres, producer, key, now);
  if (earlier) return earlier;
  if (!checked.ok) return checked;

  const { type, templateId, recipients } = checked.value;
  const [profiles, templates] = await Promise.all([
    loadProfiles(
      deps.postgres,
      recipients.map((recipient) => recipient.userId),
      type,
    ),
    loadTemplates(deps.postgres, templateId, channels),
  ]);
  if (!templates.ok) return templates;

  const { drafts, duplicates } = draftDeliveries(recipients, deps.ids);
  const wanted = applyPreferences(drafts, profiles, type, now);
  const rendered = renderDrafts(wanted, templates.value, profiles);
  if (!rendered.ok) return rendered;
  const routed = routeDrafts(rendered.value, profiles);

  const response = toAcceptance(checked.value.priority, routed, duplicates, deps.ids.next(), now);
  if (response.notificationsQueued === 0) return nothingToSend(response);
  const accepted = await accept(deps.postgres, {
    producer,
    correlationId: caller.correlationId,
    request: checked.value,
    fingerprint: key.fingerprint,
    drafts: routed,
    response,
    now,
  });
  if (!accepted.ok) return accepted;
  if (accepted.value.fresh) await ringQueued(deps, caller, checked.value, routed);
  return ok(accepted.value.response);
}

const onlyExpired = (errors: readonly { readonly code: string }[]): boolean =>
  errors.every(({ code }) => code === 'EXPIRES_IN_PAST');

function nothingToSend({ suppressed }: Acceptance): Result<never> {
  const reasons = [...new Set(suppressed.map(({ reason }) => reason))].join(', ');
  const details = [...new Set(suppressed.flatMap(({ detail }) => detail ?? []))].slice(0, 3).join('; ');
  const because = details ? `${reasons}: ${details}` : reasons;
  return refused('NOTHING_TO_SEND', `Every recipient was left out (${because})`, ['input', 'recipients']);
}

/** How long an answer may wait for Redis. */
const RING_WITHIN_MS = 1_000;

/** Rings for what was accepted. Where that fails the sweeper rings later: the request stands all the same. */
async function ringQueued(
  { queues, logger }: SendDeps,
  { correlationId }: Caller,
  { priority }: CheckedRequest,
  drafts: readonly Draft[],
): Promise<void> {
  const mailboxes = drafts
    .filter((draft) => !draft.suppression)
    .map(({ userId, channel }) => mailboxOf({ userId, channel, priority }));
  const ringing = ring(queues, mailboxes, correlationId).catch((error: unknown) =>
    logger.warn({ err: error, correlationId }, 'ringing failed; the sweeper will ring'),
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, RING_WITHIN_MS);
  });
  await Promise.race([ringing, late]);
  clearTimeout(timer);
}
