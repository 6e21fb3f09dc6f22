import { ok, type Result, refused, refusedAll, type UserError } from '../../../platform/errors.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { checkVariables, knownValues } from '../intake/validate.js';
import type { RenderedContent } from '../providers/provider.js';
import { checkName } from '../text.js';
import type { ActiveTemplate, ActiveTemplates, ExactTemplate } from './active-templates.js';
import { checkTemplate, isLanguage, type TemplateDraft, textOf } from './check.js';
import type { Partials } from './liquid/parse.js';
import { loadPartials } from './partials.js';
import { faultOf, languageChain, renderTemplate } from './render.js';

/** What to show: a stored template or one that is still being written, one of the two. */
export interface Preview {
  readonly templateId?: string | undefined;
  readonly draft?: TemplateDraft | undefined;
  /** Of the reader; absent: the template's own. */
  readonly language?: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * What a reader of this language would get if the template were active: the template itself, or the active one of its
 * type and channel that comes first in the reader's languages. Rendered as a send renders it; nothing is sent or stored.
 *
 * Refused with TEMPLATE_OR_DRAFT, what `checkTemplate` finds, LANGUAGE_INVALID, VARIABLE_INVALID, VARIABLES_TOO_LARGE,
 * TEMPLATE_NOT_FOUND, or what `faultOf` says.
 */
export async function previewTemplate(
  deps: { readonly activeTemplates: ActiveTemplates; readonly postgres: Queryable },
  preview: Preview,
): Promise<Result<RenderedContent>> {
  const [partials] = preview.draft ? await loadPartials(deps.postgres, [preview.draft]) : [];
  const faults = checkPreview(preview, partials);
  if (faults.length > 0) return refusedAll(faults);
  const shown = await shownTemplate(deps.activeTemplates, preview, partials);
  if (!shown.ok) return shown;

  const languages = languageChain(preview.language ?? shown.value.language);
  const template = await chooseFor(deps.activeTemplates, shown.value, languages);
  if (!template) {
    const { templateId, channel } = shown.value;
    const message = `There is no active ${channel} template of the type of ${templateId} in ${languages.join(', ')}`;
    return refused('TEMPLATE_NOT_FOUND', message, ['input', 'language']);
  }
  const reader = { timeZone: 'UTC', locale: template.language };
  const rendering = renderTemplate(template, knownValues(preview.variables), reader);
  return rendering.kind === 'rendered'
    ? ok(rendering.content)
    : refusedAll([faultOf(rendering, template, ['input', 'variables'])]);
}

function checkPreview(
  { templateId, draft, language, variables }: Preview,
  partials: Partials | undefined,
): UserError[] {
  const faults: UserError[] = [];
  if ((templateId === undefined) === (draft === undefined)) {
    faults.push({ code: 'TEMPLATE_OR_DRAFT', message: 'Give a templateId or a draft', path: ['input'] });
  }
  if (templateId !== undefined) faults.push(...checkName('ID_INVALID', templateId, ['input', 'templateId']));
  if (language !== undefined && !isLanguage(language)) {
    const message = 'language must be a code like en or pt-BR';
    faults.push({ code: 'LANGUAGE_INVALID', message, path: ['input', 'language'] });
  }
  if (draft) faults.push(...checkTemplate(draft, ['input', 'draft'], partials));
  return [...faults, ...checkVariables(variables, ['input', 'variables'])];
}

async function shownTemplate(
  activeTemplates: ActiveTemplates,
  { templateId, draft }: Preview,
  partials: Partials | undefined,
): Promise<Result<ExactTemplate>> {
  if (draft === undefined) return activeTemplates.exactly(templateId!);
  return ok({ ...draft, templateId: draft.templateId ?? 'draft', version: 0, ...textOf(draft), partials });
}

async function chooseFor(
  activeTemplates: ActiveTemplates,
  shown: ExactTemplate,
  languages: readonly string[],
): Promise<ActiveTemplate | undefined> {
  if (languages[0] === shown.language) return shown;
  const active = await activeTemplates.ofType(shown.notificationType);
  const others = active.filter(
    ({ channel, language }) => channel === shown.channel && language !== shown.language,
  );
  const byLanguage = new Map([shown, ...others].map((template) => [template.language, template]));
  return languages.map((language) => byLanguage.get(language)).find(Boolean);
}
