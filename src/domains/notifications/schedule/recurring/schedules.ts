import { z } from 'zod';
import { type Caller, isAdmin, mayActFor } from '../../../../platform/auth/caller.js';
import type { Clock } from '../../../../platform/clock.js';
import { ok, type Result, refused, refusedAll, type UserError } from '../../../../platform/errors.js';
import type { Ids } from '../../../../platform/ids.js';
import {
  type Connection,
  cursorsOf,
  LIST_START,
  type PageRequest,
  toConnection,
} from '../../../../platform/paging.js';
import { confirmRead } from '../../../../platform/postgres/confirm-read.js';
import type { Postgres, Queryable, RowOf } from '../../../../platform/postgres/postgres.js';
import { fingerprint } from '../../intake/dedup.js';
import type { SendRequest } from '../../intake/request.js';
import { checkSchedule, PASSED, validate } from '../../intake/validate.js';
import { inZone, localMinute } from '../../preferences/local-time.js';
import { isTimeZone, MINUTE_MS } from '../../preferences/quiet-hours.js';
import type { ActiveTemplates } from '../../templates/active-templates.js';
import { checkName, isName } from '../../text.js';
import { sql as statements } from './recurring.sql.js';
import { firstOf, nextOf, type Rule, readRule } from './rule.js';

/** What is sent each time. */
export type Repeated = Pick<
  SendRequest,
  'type' | 'priority' | 'recipients' | 'templateId' | 'fallbackChannels'
>;

export const scheduleStatuses = ['ACTIVE', 'PAUSED', 'COMPLETED', 'CANCELLED'] as const;
export type ScheduleStatus = (typeof scheduleStatuses)[number];
export const scheduleActions = ['PAUSE', 'RESUME', 'CANCEL'] as const;
export type ScheduleAction = (typeof scheduleActions)[number];

/** A notification that recurs. */
export interface NewSchedule extends Repeated {
  /** The producer's own: the same id and body again answers the first result. */
  readonly scheduleId: string;
  /** See `readRule`. */
  readonly rrule: string;
  /** On the schedule's clock: of an instant the date and time in UTC. */
  readonly startsAt: Date;
  /** An IANA zone name: the schedule's clock. Absent: that of each recipient. */
  readonly timezone?: string | undefined;
}

export type NotificationSchedule = RowOf<typeof statements.byIds>;

/** An occurrence's stamp is behind it in a notification's id. */
const MAX_ID = 40;
const MAX_BYTES = 1_048_576;
const MAX_OPEN = 1_000;
/** Where each recipient's clock counts, a request is made before the first zone (UTC+14) shows the time. */
const LEAD_MS = 15 * 3_600_000;

/** When the schedule's clock shows a time. Where each recipient's counts, UTC stands for them. */
export const shownAt = (timezone: string | null, at: Date): Date =>
  timezone === null ? at : inZone(timezone, at);

/**
 * When an occurrence is to be sent: once the schedule's clock shows it, or before any recipient's does.
 *
 * @param from not before this
 */
export function dueOf(timezone: string | null, at: Date, from: number): Date {
  const lead = timezone === null ? LEAD_MS : 0;
  return new Date(Math.max(shownAt(timezone, at).getTime() - lead, from));
}

/** What the schedule's clock shows now. */
const shownNow = (timezone: string | null, now: number): Date =>
  new Date(timezone === null ? now : localMinute(timezone, now) * MINUTE_MS);

interface Deps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly activeTemplates: Pick<ActiveTemplates, 'ofTypeNamedBy'>;
}

/**
 * Has a notification sent again and again.
 *
 * Refused with what `readRule` and `validate` refuse, TIMEZONE_UNKNOWN, SCHEDULE_TOO_LARGE, TEMPLATE_NOT_FOUND, RRULE_NEVER,
 * SCHEDULE_ID_REUSED or TOO_MANY_SCHEDULES.
 */
export async function createSchedule(
  { postgres, clock, ids, activeTemplates }: Deps,
  caller: Caller,
  input: NewSchedule,
): Promise<Result<NotificationSchedule>> {
  const now = clock.now();
  const { scheduleId, rrule, startsAt, timezone = null, ...request } = input;
  const producer = caller.viewer.userId;
  const rule = readRule(rrule);
  const faults = [...(rule.ok ? [] : rule.errors), ...check(input, now)];
  // A repeat may come when the start has passed. Only what has been checked is small enough to be hashed.
  if (!rule.ok || !faults.every(({ code }) => PASSED.includes(code))) return refusedAll(faults);
  const bodyHash = fingerprint(input);
  const earlier = await findSchedule(postgres, producer, scheduleId);
  if (earlier) return repeatOf(postgres, earlier, bodyHash);

  if (faults.length > 0) return refusedAll(faults);
  const template = await activeTemplates.ofTypeNamedBy(request.templateId);
  if (!template.ok) return template;
  const first = firstOf(rule.value, startsAt);
  if (!first) return refused('RRULE_NEVER', 'This rule never recurs', ['input', 'rrule']);

  const seriesId = ids.next();
  const { rows } = await postgres.transaction(async (tx) => {
    await tx.query(statements.lockProducer, [producer]);
    return tx.query(statements.create, [
      ...[seriesId, producer, scheduleId, rrule, timezone, startsAt, JSON.stringify(request)],
      ...[first, dueOf(timezone, first, now), caller.correlationId, new Date(now), bodyHash, MAX_OPEN],
    ]);
  });
  const made = await findSchedule(postgres, producer, scheduleId);
  if (made) return rows.length > 0 ? ok(made) : repeatOf(postgres, made, bodyHash);
  return refused('TOO_MANY_SCHEDULES', `A producer has at most ${MAX_OPEN} schedules that are not over`, [
    'input',
    'scheduleId',
  ]);
}

async function repeatOf(
  postgres: Queryable,
  earlier: NotificationSchedule,
  bodyHash: string,
): Promise<Result<NotificationSchedule>> {
  await confirmRead(postgres);
  if (earlier.bodyHash.toString('hex') === bodyHash) return ok(earlier);
  const message = `scheduleId ${earlier.scheduleId} was used for another schedule`;
  return refused('SCHEDULE_ID_REUSED', message, ['input', 'scheduleId']);
}

/** What a schedule must look like, every fault at once. */
function check(
  { scheduleId, rrule: _, startsAt, timezone, ...request }: NewSchedule,
  now: number,
): UserError[] {
  const faults = checkName('ID_INVALID', scheduleId, ['input', 'scheduleId'], MAX_ID);
  const isZone = timezone === undefined || (isName(timezone, 64) && isTimeZone(timezone));
  if (!isZone) {
    const message = 'timezone must be a zone name like Europe/Berlin';
    faults.push({ code: 'TIMEZONE_UNKNOWN', message, path: ['input', 'timezone'] });
  }
  const start = timezone !== undefined && isZone ? inZone(timezone, startsAt) : startsAt;
  faults.push(...checkSchedule(start, timezone === undefined, now, 'startsAt'));
  const valid = validate({ ...request, notificationId: 'once' }, now);
  if (!valid.ok) faults.push(...valid.errors);
  else if (Buffer.byteLength(JSON.stringify(request)) > MAX_BYTES) {
    const message = `What recurs has at most ${MAX_BYTES} bytes`;
    faults.push({ code: 'SCHEDULE_TOO_LARGE', message, path: ['input', 'recipients'] });
  }
  return faults;
}

/**
 * Pauses, resumes or ends a schedule of the caller's; an admin anybody's. What was accepted of it already is a notification like any
 * other. Occurrences of a pause are left out.
 *
 * Refused with NOT_FOUND, or SCHEDULE_OVER where it is completed or cancelled.
 *
 * @param seriesId null where there is none under the name that was given
 */
export async function controlSchedule(
  { postgres, clock }: Deps,
  caller: Caller,
  seriesId: string | null,
  action: ScheduleAction,
): Promise<Result<NotificationSchedule>> {
  const path = ['input', 'scheduleId'];
  const missing = refused('NOT_FOUND', 'There is no such schedule', path);
  if (seriesId === null) return missing;
  return postgres.transaction(async (tx) => {
    const { rows } = await tx.query(statements.lock, [seriesId]);
    const [found] = rows;
    if (!found || !mayActFor(caller, found.producer)) return missing;
    const isOver = found.status === 'COMPLETED' || found.status === 'CANCELLED';
    if (isOver) return refused('SCHEDULE_OVER', `This schedule is ${found.status.toLowerCase()}`, path);
    const now = clock.now();
    const changed = { ...found, ...after(found, action, now) };
    await storeSchedule(tx, changed, now);
    return ok(changed);
  });
}

type Change = Partial<Pick<NotificationSchedule, 'status' | 'nextAt' | 'dueAt'>>;

function after(found: NotificationSchedule, action: ScheduleAction, now: number): Change {
  switch (action) {
    case 'PAUSE':
      return { status: 'PAUSED', dueAt: null };
    case 'CANCEL':
      return { status: 'CANCELLED', nextAt: null, dueAt: null };
    case 'RESUME':
      return found.status === 'PAUSED' ? resumed(found, now) : {};
    default:
      return action satisfies never;
  }
}

function resumed({ rrule, timezone, startsAt, nextAt }: NotificationSchedule, now: number): Change {
  if (nextAt && shownAt(timezone, nextAt).getTime() > now) return at(timezone, nextAt, now);
  return at(timezone, nextAt && nextOf(ruleOf(rrule), startsAt, nextAt, shownNow(timezone, now)), now);
}

/** Waits for an occurrence; null: there is none any more. */
export const at = (timezone: string | null, next: Date | null, now: number): Change =>
  next
    ? { status: 'ACTIVE', nextAt: next, dueAt: dueOf(timezone, next, now) }
    : { status: 'COMPLETED', nextAt: null, dueAt: null };

/** The rule of a stored schedule. */
export function ruleOf(rrule: string): Rule {
  const rule = readRule(rrule);
  if (!rule.ok) throw new Error(`${rrule} is stored, and cannot be read`);
  return rule.value;
}

export const storeSchedule = (tx: Queryable, schedule: NotificationSchedule, now: number) =>
  tx.query(statements.change, [
    schedule.seriesId,
    schedule.status,
    schedule.nextAt,
    schedule.dueAt,
    schedule.occurrences,
    schedule.lastNotificationId,
    schedule.lastError,
    new Date(now),
  ]);

/** A producer's schedule; null where there is none. */
export async function findSchedule(
  postgres: Queryable,
  producer: string,
  scheduleId: string,
): Promise<NotificationSchedule | null> {
  if (!isName(scheduleId, MAX_ID) || !isName(producer, 64)) return null;
  const { rows } = await postgres.query(statements.named, [producer, scheduleId]);
  const [found] = rows[0] ? await findSchedules(postgres, [rows[0].seriesId]) : [];
  return found ?? null;
}

/** Schedules by their raw ids; a caller must check who may see them. */
export async function findSchedules(
  postgres: Queryable,
  seriesIds: readonly string[],
): Promise<readonly NotificationSchedule[]> {
  return (await postgres.query(statements.byIds, [seriesIds])).rows;
}

const cursors = cursorsOf('schedules', z.tuple([z.uuid()]));

/** A producer's schedules, newest first; for admins everybody's. */
export async function pageOfSchedules(
  postgres: Queryable,
  caller: Caller,
  page: PageRequest,
): Promise<Connection<NotificationSchedule>> {
  const [seriesId] = cursors.read(page.cursor) ?? [LIST_START[page.direction][1]];
  const place = [seriesId, page.limit + 1];
  const isForward = page.direction === 'forward';
  const { rows } = isAdmin(caller)
    ? await postgres.query(isForward ? statements.pageOfAllForward : statements.pageOfAllBackward, place)
    : await postgres.query(isForward ? statements.pageForward : statements.pageBackward, [
        caller.viewer.userId,
        ...place,
      ]);
  const ids = rows.map((row) => row.seriesId);
  const byId = new Map((await findSchedules(postgres, ids)).map((one) => [one.seriesId, one]));
  const found = ids.flatMap((id) => byId.get(id) ?? []);
  return toConnection(page, found, (one) => cursors.write(one.seriesId));
}
