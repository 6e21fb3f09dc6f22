import { ok, type Result, refused, refusedAll, type UserError } from '../../../platform/errors.js';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import type { RenderedContent } from '../providers/provider.js';
import { MAX_TEXT } from '../templates/fill.js';
import { languageChain, type Rendering, renderTemplate, type TemplateText } from '../templates/render.js';
import type { Channel } from '../types.js';
import type { Profile } from './profiles.js';
import { type Draft, pass, suppress } from './request.js';

/** Characters of all texts of one request: a thousand mails of 50,000. */
const MAX_REQUEST_TEXT = 50_000_000;

const statements = loadStatements(new URL('./active-templates.sql', import.meta.url), ['templates']);

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
 * Refused with VARIABLE_TYPE, TEXT_TOO_LONG or URL_UNSAFE, every fault at once, where variables are not of the types
 * that the templates declare or make a text that must not be sent; or with RENDERED_TOO_LARGE.
 */
export function renderDrafts(
  drafts: readonly Draft[],
  templates: readonly ActiveTemplate[],
  profiles: ReadonlyMap<string, Profile>,
): Result<readonly Draft[]> {
  const faults = new Map<string, UserError>();
  const byKey = new Map(templates.map((template) => [`${template.channel}/${template.language}`, template]));
  let size = 0;
  const rendered = drafts.map((draft) => {
    if (draft.suppression || size > MAX_REQUEST_TEXT) return draft;
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
    if (rendering.kind === 'mistyped' || rendering.kind === 'unfit') {
      const fault = rendering.kind === 'mistyped' ? mistyped(draft, rendering) : unfit(draft, rendering);
      faults.set(`${fault.code}/${fault.path.join('/')}`, fault);
      return draft;
    }
    if (rendering.kind === 'rendered') size += sizeOf(rendering.content);
    return withRendering(draft, template, rendering);
  });
  if (size > MAX_REQUEST_TEXT) {
    const message = `The texts of one request have at most ${MAX_REQUEST_TEXT} characters: send to fewer at once`;
    return refused('RENDERED_TOO_LARGE', message, ['input', 'recipients']);
  }
  return faults.size > 0 ? refusedAll([...faults.values()]) : ok(rendered);
}

function withRendering(
  draft: Draft,
  template: ActiveTemplate,
  rendering: Exclude<Rendering, { kind: 'mistyped' | 'unfit' }>,
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

const sizeOf = (content: RenderedContent): number =>
  Object.values(content).reduce((sum: number, text: string) => sum + text.length, 0);

function unfit(draft: Draft, { field, why }: Extract<Rendering, { kind: 'unfit' }>) {
  const path = ['input', 'recipients', String(draft.recipient), 'variables'];
  const becomes =
    why === 'TEXT_TOO_LONG' ? `longer than ${MAX_TEXT} characters` : 'a link that must not be opened';
  return { code: why, message: `${field} becomes ${becomes} on ${draft.channel}`, path };
}

function mistyped(draft: Draft, { variable, expected }: { variable: string; expected: string }) {
  const path = ['input', 'recipients', String(draft.recipient), 'variables', variable];
  return { code: 'VARIABLE_TYPE', message: `Variable ${variable} must be a ${expected}`, path };
}
