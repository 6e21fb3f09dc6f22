import { ok, type Result } from '../../../platform/errors.js';
import { type DigestRule, gatherDrafts } from '../digests/gather.js';
import { canReplace } from '../grouping/rules.js';
import type { NotificationLimits } from '../limits/limits.js';
import { inZone } from '../preferences/local-time.js';
import type { ActiveTemplate, ActiveTemplates } from '../templates/active-templates.js';
import type { Priority } from '../types.js';
import { applyLimits } from './limit.js';
import { applyPreferences, type QuietHoursRules } from './preferences.js';
import type { Profile, Profiles } from './profiles.js';
import { type OnFault, renderDrafts } from './render.js';
import { type Draft, deferUntil, isSettled } from './request.js';
import { isReachable, type Routed, routeDrafts } from './route.js';

export interface DecideDeps {
  readonly profiles: Pick<Profiles, 'load'>;
  readonly activeTemplates: ActiveTemplates;
  readonly limits: Pick<NotificationLimits, 'charge'>;
  readonly quietHours: QuietHoursRules;
  readonly digestRule: DigestRule;
}

/** What the drafts of one request have in common. */
export interface Notification extends Routed {
  readonly producer: string;
  readonly notificationId: string;
  readonly priority: Priority;
  readonly templateId: string;
  readonly exactTemplate?: true | undefined;
  /** Drafts on channels that can replace what they have shown are left to their group: they are due at once. */
  readonly isGrouped?: true;
}

/**
 * Steps 3 to 6 for the drafts of one request, as of `now`: preferences, rendering, limits, routing. Afterwards each is
 * left out, deferred, or QUEUED with its text and address. One that goes with a digest is left out with its text, and counts
 * in no limit: what becomes of the digest will.
 *
 * Refused with TEMPLATE_NOT_FOUND, or what `renderDrafts` refuses.
 *
 * @param onFault what becomes of a draft whose variables do not fit its template; unless given, the request is refused
 */
export async function decide(
  deps: DecideDeps,
  notification: Notification,
  drafts: readonly Draft[],
  now: number,
  onFault?: OnFault,
): Promise<Result<readonly Draft[]>> {
  const [profiles, templates] = await load(deps, notification, drafts);
  if (!templates.ok) return templates;

  const { type } = notification;
  const quietHours = notification.exactTemplate ? dropping(deps.quietHours) : deps.quietHours;
  const wanted = applyPreferences(drafts, profiles, type, quietHours, now, (channel, profile) =>
    deps.digestRule(notification, channel, profile, now),
  );
  const rendered = renderDrafts(wanted, notification.templateId, templates.value, profiles, onFault);
  if (!rendered.ok) return rendered;
  const gathered = gatherDrafts(rendered.value);
  const own = notification.isGrouped ? leaveToGroup(gathered, wanted, profiles, now) : gathered;
  const limited = await applyLimits(own, profiles, notification, deps.limits);
  return ok(routeDrafts(limited, profiles, notification));
}

/** A trial waits for nothing: it is looked for now, and what was deferred gets the text that is active by then. */
const dropping =
  (quietHours: QuietHoursRules): QuietHoursRules =>
  (type) =>
    quietHours(type) === 'bypass' ? 'bypass' : 'drop';

/** When a request is to be decided and sent; see `SendRequest`. */
export interface Schedule {
  readonly scheduleAt: Date;
  readonly scheduleInLocalTime?: boolean | undefined;
}

/** Limits and text are decided when the group is summed up. What is wrong is reported now. */
const leaveToGroup = (
  rendered: readonly Draft[],
  wanted: readonly Draft[],
  profiles: ReadonlyMap<string, Profile>,
  now: number,
): readonly Draft[] =>
  rendered.map((draft, index) =>
    isSettled(draft) || !canReplace(draft.channel) || !isReachable(profiles.get(draft.userId)!, draft.channel)
      ? draft
      : deferUntil(wanted[index]!, new Date(now), { reason: 'GROUPED' }),
  );

/**
 * Defers the drafts of a request until its time; one whose recipient's clock has shown it already is due `now`, since nobody looks
 * for what is due before that. Preferences, limits and text are decided then; but what is wrong with the variables already is
 * reported now.
 *
 * Refused with TEMPLATE_NOT_FOUND, or what `renderDrafts` refuses.
 */
export async function hold(
  deps: DecideDeps,
  notification: Notification,
  drafts: readonly Draft[],
  { scheduleAt, scheduleInLocalTime }: Schedule,
  now: number,
): Promise<Result<readonly Draft[]>> {
  const [profiles, templates] = await load(deps, notification, drafts);
  if (!templates.ok) return templates;
  const rendered = renderDrafts(drafts, notification.templateId, templates.value, profiles);
  if (!rendered.ok) return rendered;
  return ok(
    rendered.value.map((tried, index) => {
      if (tried.suppression) return tried;
      const draft = drafts[index]!;
      if (!scheduleInLocalTime) return deferUntil(draft, scheduleAt);
      const { timezone } = profiles.get(draft.userId)!;
      const dueAt = Math.max(inZone(timezone, scheduleAt).getTime(), now);
      return deferUntil(draft, new Date(dueAt), { timezone });
    }),
  );
}

const load = (deps: DecideDeps, notification: Notification, drafts: readonly Draft[]) =>
  Promise.all([
    deps.profiles.load(new Set(drafts.map(({ userId }) => userId)), notification.type),
    templatesOf(deps.activeTemplates, notification),
  ]);

async function templatesOf(
  activeTemplates: ActiveTemplates,
  { templateId, exactTemplate }: Notification,
): Promise<Result<readonly ActiveTemplate[]>> {
  if (!exactTemplate) return activeTemplates.ofTypeNamedBy(templateId);
  const template = await activeTemplates.exactly(templateId);
  // On trial it is shown to its reader whatever language they prefer.
  return template.ok
    ? ok([{ ...template.value, language: 'en', locale: template.value.language }])
    : template;
}
