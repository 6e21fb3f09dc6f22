import { ok, type Result, refused, refusedAll, type UserError } from '../../../platform/errors.js';
import type { Queryable } from '../../../platform/postgres.js';
import { languageChain, type Rendering, renderTemplate, type TemplateText } from '../templates/render.js';
import type { Channel } from '../types.js';
import type { Profile } from './profiles.js';
import { type Draft, pass, suppress } from './request.js';
import { statements } from './statements.js';

/** An active template of the type that a request's template names. */
export interface ActiveTemplate extends TemplateText {
  readonly templateId: string;
  readonly channel: Channel;
  readonly language: string;
  readonly version: number;
}

/**
 * The active templates of the type that `templateId` names, in one statement.
 *
 * Refused with TEMPLATE_NOT_FOUND where no template has that id.
 */
export async function loadTemplates(
  postgres: Queryable,
  templateId: string,
  channels: readonly Channel[],
): Promise<Result<readonly ActiveTemplate[]>> {
  const { rows } = await postgres.query<ActiveTemplate | { templateId: null }>(statements.templates, [
    templateId,
    channels,
  ]);
  if (rows.length === 0) {
    return refused('TEMPLATE_NOT_FOUND', `There is no template ${templateId}`, ['input', 'templateId']);
  }
  return ok(rows.filter((row): row is ActiveTemplate => row.templateId !== null));
}

/**
 * Step 4: each recipient's text, in his language. Who lacks a required variable, or for whose channel there is no
 * template, is left out.
 *
 * Refused with VARIABLE_TYPE, every fault at once, where variables are not of the types that the templates declare.
 */
export function renderDrafts(
  drafts: readonly Draft[],
  templates: readonly ActiveTemplate[],
  profiles: ReadonlyMap<string, Profile>,
): Result<readonly Draft[]> {
  const faults = new Map<string, UserError>();
  const byKey = new Map(templates.map((template) => [`${template.channel}/${template.language}`, template]));
  const rendered = drafts.map((draft) => {
    if (draft.suppression) return draft;
    const languages = languageChain(profiles.get(draft.userId)!.language);
    const template = languages.map((language) => byKey.get(`${draft.channel}/${language}`)).find(Boolean);
    if (!template) {
      return suppress(
        draft,
        'TEMPLATE_NOT_FOUND',
        `no active ${draft.channel} template in ${languages.join(', ')}`,
      );
    }
    const rendering = renderTemplate(template, draft.variables);
    if (rendering.kind === 'mistyped') {
      const fault = mistyped(draft, rendering);
      faults.set(fault.path.join('/'), fault);
      return draft;
    }
    return withRendering(draft, template, rendering);
  });
  return faults.size > 0 ? refusedAll([...faults.values()]) : ok(rendered);
}

function withRendering(
  draft: Draft,
  template: ActiveTemplate,
  rendering: Exclude<Rendering, { kind: 'mistyped' }>,
): Draft {
  const { templateId, language, version } = template;
  if (rendering.kind === 'missing') {
    return suppress(
      draft,
      'MISSING_VARIABLE',
      `variable ${rendering.variable} of template ${templateId} is missing`,
    );
  }
  return {
    ...pass(draft, 'RENDERED', { templateId, language, version }),
    content: rendering.content,
  };
}

function mistyped(draft: Draft, { variable, expected }: { variable: string; expected: string }) {
  const path = ['input', 'recipients', String(draft.recipient), 'variables', variable];
  return { code: 'VARIABLE_TYPE', message: `Variable ${variable} must be a ${expected}`, path };
}
