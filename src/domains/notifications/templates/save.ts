import type { Caller } from '../../../platform/auth/caller.js';
import type { Clock } from '../../../platform/clock.js';
import { ok, type Result, refused, refusedAll } from '../../../platform/errors.js';
import type { Ids } from '../../../platform/ids.js';
import type { Postgres } from '../../../platform/postgres/postgres.js';
import { toStoredText } from '../../../platform/text.js';
import type { Freshness } from '../freshness.js';
import { checkTemplate, type TemplateDraft, textOf } from './check.js';
import { MAX_TEXT } from './fill.js';
import { loadPartials } from './partials.js';
import { sql as statements } from './save.sql.js';
import type { Template } from './template.js';
import { deactivateVersions, lockVersions } from './versions.js';

/**
 * Saves the next version of a type's text for a channel and language. Activating it deactivates the one before.
 *
 * Refused with TEMPLATE_ID_TAKEN, or with what `checkTemplate` finds.
 */
export async function saveTemplate(
  deps: {
    readonly postgres: Postgres;
    readonly clock: Clock;
    readonly ids: Ids;
    readonly freshness: Pick<Freshness, 'templatesChanged'>;
  },
  caller: Caller,
  given: TemplateDraft,
): Promise<Result<Template>> {
  const { body, subject, title } = given;
  const draft = {
    ...given,
    body: toStoredText(body, MAX_TEXT),
    ...(subject !== undefined && { subject: toStoredText(subject, MAX_TEXT) }),
    ...(title !== undefined && { title: toStoredText(title, MAX_TEXT) }),
  };
  const [partials] = await loadPartials(deps.postgres, [draft]);
  const faults = checkTemplate(draft, ['input'], partials);
  if (faults.length > 0) return refusedAll(faults);
  const now = new Date(deps.clock.now());
  const template = {
    templateId: draft.templateId ?? deps.ids.next(),
    notificationType: draft.notificationType,
    channel: draft.channel,
    language: draft.language,
    isActive: draft.activate,
    ...textOf(draft),
    createdBy: caller.viewer.userId,
    createdAt: now,
    updatedAt: now,
  };
  const version = await insertVersion(deps.postgres, template);
  if (version === null) {
    const path = ['input', 'templateId'];
    return refused('TEMPLATE_ID_TAKEN', `There is a template ${template.templateId} already`, path);
  }
  await deps.freshness.templatesChanged(template.notificationType);
  return ok({ ...template, version });
}

/** Inserts a template as the next version; null, and nothing changed, where its id is taken. */
function insertVersion(postgres: Postgres, template: Omit<Template, 'version'>): Promise<number | null> {
  const { notificationType: type, channel, language, createdAt } = template;
  return postgres.transaction(async (tx) => {
    await lockVersions(tx, template);
    await tx.query('SAVEPOINT before_version');
    if (template.isActive) await deactivateVersions(tx, template, createdAt);
    const { rows } = await tx.query(statements.insert, [
      template.templateId,
      type,
      channel,
      language,
      template.isActive,
      template.subject,
      template.title,
      template.body,
      template.htmlBody,
      template.imageUrl,
      template.actionUrl,
      JSON.stringify(template.variables),
      template.createdBy,
      createdAt,
      JSON.stringify(template.pushOptions),
      template.syntax,
    ]);
    if (!rows[0]) await tx.query('ROLLBACK TO SAVEPOINT before_version');
    return rows[0]?.version ?? null;
  });
}
