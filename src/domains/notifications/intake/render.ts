import { ok, type Result, refused, refusedAll, type UserError } from '../../../platform/errors.js';
import { wordingOf } from '../grouping/wording.js';
import type { RenderedContent } from '../providers/provider.js';
import type { ActiveTemplate } from '../templates/active-templates.js';
import { faultOf, languageChain, missing, type Rendering, renderTemplate } from '../templates/render.js';
import { type Channel, rulesOfChannel } from '../types.js';
import type { Profile } from './profiles.js';
import { type Draft, isSettled, pass, suppress } from './request.js';

/** Characters of all texts of one request: a thousand mails of 10,000. They are written in one transaction. */
const MAX_REQUEST_TEXT = 10_000_000;

/** What becomes of a draft whose variables do not fit its template. */
export type OnFault = (draft: Draft, fault: UserError) => Draft;

/**
 * Step 4: each recipient's text, in their language. A recipient who lacks a required variable, or for whose channel there is
 * no template, is left out.
 *
 * Refused with VARIABLE_TYPE, TEXT_TOO_LONG, URL_UNSAFE or HTML_UNSAFE, every fault at once, where variables are not of
 * the types that the templates declare or make a text that must not be sent; or with RENDERED_TOO_LARGE.
 */
export function renderDrafts(
  drafts: readonly Draft[],
  templates: readonly ActiveTemplate[],
  profiles: ReadonlyMap<string, Profile>,
  onFault?: OnFault,
): Result<readonly Draft[]> {
  const faults = new Map<string, UserError>();
  const byKey = new Map(templates.map((template) => [`${template.channel}/${template.language}`, template]));
  let size = 0;
  const rendered = drafts.map((draft) => {
    if (isSettled(draft) || size > MAX_REQUEST_TEXT) return draft;
    const languages = languageChain(profiles.get(draft.userId)!.language);
    const template = templateFor(byKey, draft.channel, languages);
    if (!template) {
      return suppress(
        draft,
        'TEMPLATE_NOT_FOUND',
        `no active ${draft.channel} template in ${languages.join(', ')}`,
      );
    }
    const wording = draft.people && wordingOf(draft.people, template.language);
    const rendering = renderTemplate(
      template,
      wording ? { ...draft.variables, ...wording } : draft.variables,
    );
    if (rendering.kind === 'mistyped' || rendering.kind === 'unfit') {
      const path = ['input', 'recipients', String(draft.recipient), 'variables'];
      const fault = faultOf(rendering, { ...template, channel: draft.channel }, path);
      if (onFault) return onFault(draft, fault);
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

/** The channel's own text in the first language that has one, else the text of the channel whose texts it may show. */
function templateFor(
  byKey: ReadonlyMap<string, ActiveTemplate>,
  channel: Channel,
  languages: readonly string[],
): ActiveTemplate | undefined {
  const { textOf = channel } = rulesOfChannel(channel);
  const keys = [channel, textOf].flatMap((owner) => languages.map((language) => `${owner}/${language}`));
  return keys.map((key) => byKey.get(key)).find(Boolean);
}

function withRendering(
  draft: Draft,
  template: ActiveTemplate,
  rendering: Exclude<Rendering, { kind: 'mistyped' | 'unfit' }>,
): Draft {
  const { templateId, language, version } = template;
  if (rendering.kind === 'missing') {
    return suppress(draft, 'MISSING_VARIABLE', missing(rendering.variable, templateId));
  }
  return {
    ...pass(draft, 'RENDERED', { templateId, language, version }),
    content: rendering.content,
  };
}

const sizeOf = (content: RenderedContent): number =>
  Object.values(content).reduce<number>((sum, part) => sum + String(part).length, 0);
