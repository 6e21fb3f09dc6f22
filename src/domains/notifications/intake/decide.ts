import { ok, type Result } from '../../../platform/errors.js';
import type { NotificationLimits } from '../limits/limits.js';
import type { ActiveTemplate, ActiveTemplates } from '../templates/active-templates.js';
import { applyLimits } from './limit.js';
import { applyPreferences, type QuietHoursRules } from './preferences.js';
import type { Profiles } from './profiles.js';
import { type OnFault, renderDrafts } from './render.js';
import type { Draft } from './request.js';
import { routeDrafts } from './route.js';

export interface DecideDeps {
  readonly profiles: Profiles;
  readonly activeTemplates: ActiveTemplates;
  readonly limits: Pick<NotificationLimits, 'charge'>;
  readonly quietHours: QuietHoursRules;
}

/** What the drafts of one request have in common. */
export interface Notification {
  readonly producer: string;
  readonly notificationId: string;
  readonly type: string;
  readonly templateId: string;
  readonly exactTemplate?: true | undefined;
}

/**
 * Steps 3 to 6 for the drafts of one request, as of `now`: preferences, rendering, limits, routing. Afterwards each is
 * left out, deferred, or QUEUED with its text and address.
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
  const { type } = notification;
  const [profiles, templates] = await Promise.all([
    deps.profiles.load(new Set(drafts.map(({ userId }) => userId)), type),
    templatesOf(deps.activeTemplates, notification),
  ]);
  if (!templates.ok) return templates;

  const wanted = applyPreferences(drafts, profiles, type, deps.quietHours, now);
  const rendered = renderDrafts(wanted, templates.value, profiles, onFault);
  if (!rendered.ok) return rendered;
  const limited = await applyLimits(rendered.value, profiles, notification, deps.limits);
  return ok(routeDrafts(limited, profiles));
}

export async function templatesOf(
  activeTemplates: ActiveTemplates,
  { templateId, exactTemplate }: Pick<Notification, 'templateId' | 'exactTemplate'>,
): Promise<Result<readonly ActiveTemplate[]>> {
  if (!exactTemplate) return activeTemplates.ofTypeNamedBy(templateId);
  const template = await activeTemplates.exactly(templateId);
  // On trial it is shown to its reader whatever language they prefer.
  return template.ok ? ok([{ ...template.value, language: 'en' }]) : template;
}
