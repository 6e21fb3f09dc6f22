import type { Clock } from '../../../platform/clock.js';
import { waitFor } from '../../../platform/deadline.js';
import { ok, type Result, type UserError } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logging/logger.js';
import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { audiencePage, checkFilter } from '../segments/index.js';
import { type Audience, createAudience } from './audience.js';
import { sql as statements } from './expand.sql.js';
import { allowance, nextAt, putOff, record, resumePace } from './pace.js';
import { type DecidedPage, decidePage, type Expanded, type PageDeps } from './page.js';

export interface ExpandDeps extends PageDeps {
  readonly postgres: Queryable;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: (campaign: Expanded, page: DecidedPage) => Promise<boolean>;
  /** Nothing more is stored while what was stored so long ago, in milliseconds, waits to be sent. */
  readonly aheadMs: number;
}

/** Users whom one look at the audience passes: a second's, so that a slow campaign takes no core for long; but no fewer, and no more. */
const LOOKED_AT = { least: 500, most: 5_000 };
/** Users of a page, at most: it is one transaction. */
const MOST_USERS = 1_000;
/** How often it is looked whether sending keeps up. */
const LOOK_EVERY_MS = 1_000;
/** So long one wait lasts at most: a run that ends waits for it. */
const LONGEST_WAIT_MS = 250;

type Running = RowOf<typeof statements.place>;

/**
 * Stores a campaign's pages at its pace, from where it has come to, until it has no more users, its status changes, or `signal` aborts.
 * Where it cannot go on as it was asked for, it is FAILED.
 */
export async function expandCampaign(
  deps: ExpandDeps,
  campaignId: string,
  signal: AbortSignal,
): Promise<void> {
  await deps.postgres.query(statements.start, [campaignId]);
  const { rows } = await deps.postgres.query(statements.place, [campaignId]);
  const running = rows[0];
  if (!running) return;
  const opened = await openCampaign(deps, running);
  if (!opened.ok) return fail(deps, running, opened.errors);
  await expandOpened(deps, running, opened.value, signal);
}

interface Opened {
  readonly campaign: Expanded;
  readonly audience: Audience;
}

async function openCampaign(deps: ExpandDeps, running: Running): Promise<Result<Opened>> {
  const { startedAt, filter, templateId, after } = running;
  const clock = { now: () => startedAt.getTime() };
  const [segment, template] = await Promise.all([
    checkFilter({ postgres: deps.postgres, clock }, filter, []),
    deps.activeTemplates.exactly(templateId),
  ]);
  if (!segment.ok) return segment;
  if (!template.ok) return template;
  const limit = Math.min(LOOKED_AT.most, Math.max(LOOKED_AT.least, Math.ceil(running.ratePerSecond)));
  let narrowed = true;
  const read = async (from: string | null) => {
    const place = { after: from, limit, createdBefore: startedAt, narrowed };
    const page = await audiencePage(deps.postgres, segment.value, place);
    narrowed = page.isNarrowed;
    return page;
  };
  return ok({
    campaign: { ...running, channel: template.value.channel },
    audience: createAudience(read, after),
  });
}

async function expandOpened(
  deps: ExpandDeps,
  running: Running,
  { campaign, audience }: Opened,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = deps;
  let pace = resumePace(running.ratePerSecond, running.sentAt?.getTime() ?? null, clock.now());
  let page = running.page ?? 0;
  let most = MOST_USERS;
  /** Users who were taken and are on no page yet; and whom the audience has looked at last. */
  let taken: readonly string[] = [];
  let lookedAt = running.after;
  let isEnd = false;
  /** The page that is stored while the next one is decided. */
  let storing: Promise<boolean> = Promise.resolve(true);
  const keepsUp = watchBacklog(deps, running.campaignId);

  while (!signal.aborted) {
    if (isEnd && taken.length === 0) {
      if (await storing) await deps.postgres.query(statements.finish, [running.campaignId, page]);
      return;
    }
    pace = putOff(pace, clock.now());
    const now = clock.now();
    const count = Math.min(allowance(pace, now), most);
    if (count === 0) {
      await waitFor(Math.min(Math.max(nextAt(pace) - now, 1), LONGEST_WAIT_MS), signal);
      continue;
    }
    if (!(await keepsUp())) {
      await waitFor(LONGEST_WAIT_MS, signal);
      continue;
    }
    if (taken.length === 0) {
      const next = await audience.take(count);
      ({ userIds: taken, isEnd } = next);
      lookedAt = next.after;
      // Nobody is left; or nobody matched for a long stretch, which need not be looked at again.
      if (taken.length === 0 && isEnd) continue;
    }
    const userIds = taken.slice(0, count);
    const left = taken.slice(count);
    const after = left.length > 0 ? userIds.at(-1)! : lookedAt!;
    // While this page is counted and stored, Postgres looks up what the next one is decided by.
    deps.profiles.prefetch(audience.next(count), campaign.type);
    const decided = await decidePage(deps, campaign, { number: page + 1, after, userIds }, now);
    if (!decided.ok) {
      if (!isTooLarge(decided.errors) || userIds.length === 1) return fail(deps, running, decided.errors);
      most = Math.ceil(userIds.length / 2);
      continue;
    }
    if (!(await storing)) return;
    storing = deps.store(campaign, decided.value);
    // It is looked at when the next page is decided.
    storing.catch(() => undefined);
    page += 1;
    taken = left;
    if (userIds.length > 0) pace = record(pace, now, userIds.length);
  }
  await storing;
}

const isTooLarge = (errors: readonly UserError[]): boolean =>
  errors.some(({ code }) => code === 'RENDERED_TOO_LARGE');

/** Whether most of what was stored `aheadMs` ago has left its mailboxes; looked up once a second. */
function watchBacklog({ postgres, clock, aheadMs }: ExpandDeps, campaignId: string): () => Promise<boolean> {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let keepsUp = true;
  return async () => {
    if (performance.now() < lookedAt + LOOK_EVERY_MS) return keepsUp;
    lookedAt = performance.now();
    const { rows } = await postgres.query(statements.waiting, [campaignId, new Date(clock.now() - aheadMs)]);
    const { queued, waiting } = rows[0]!;
    keepsUp = waiting * 2 <= queued;
    return keepsUp;
  };
}

async function fail(
  { postgres, logger }: ExpandDeps,
  { campaignId, correlationId }: Running,
  errors: readonly UserError[],
): Promise<void> {
  const failure = errors.map(({ code, message }) => `${code}: ${message}`).join('; ');
  logger.warn({ campaignId, correlationId, failure }, 'a campaign cannot go on');
  await postgres.query(statements.fail, [campaignId, failure]);
}
