import { ok, type Result } from '../../../platform/errors.js';
import { type DecideDeps, type Notification, templatesOf } from './decide.js';
import { renderDrafts } from './render.js';
import { type Draft, deferUntil } from './request.js';

/**
 * Holds the drafts of a request back until its time. Preferences, limits and text are decided then; but what is wrong
 * with the variables already is reported now.
 *
 * Refused with TEMPLATE_NOT_FOUND, or what `renderDrafts` refuses.
 */
export async function hold(
  deps: Pick<DecideDeps, 'profiles' | 'activeTemplates'>,
  notification: Notification,
  drafts: readonly Draft[],
  scheduleAt: Date,
): Promise<Result<readonly Draft[]>> {
  const [profiles, templates] = await Promise.all([
    deps.profiles.load(new Set(drafts.map(({ userId }) => userId)), notification.type),
    templatesOf(deps.activeTemplates, notification),
  ]);
  if (!templates.ok) return templates;
  const rendered = renderDrafts(drafts, templates.value, profiles);
  if (!rendered.ok) return rendered;
  return ok(
    rendered.value.map((tried, index) =>
      tried.suppression ? tried : deferUntil(drafts[index]!, scheduleAt),
    ),
  );
}
