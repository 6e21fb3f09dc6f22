import { ok, type Result, refused, refusedAll, type UserError } from '../../../platform/errors.js';
import { wordingOf } from '../grouping/wording.js';
import type { RenderedContent } from '../providers/provider.js';
import type { ActiveTemplate } from '../templates/active-templates.js';
import { faultOf, languageChain, missing, type Rendering, renderTemplate } from '../templates/render.js';
import { isPlainValue } from '../templates/variables.js';
import { type Channel, rulesOfChannel } from '../types.js';
import type { Profile } from './profiles.js';
import { type Draft, isSettled, pass, suppress } from './request.js';

/** Characters of all texts of one request: a thousand mails of 10,000. They are written in one transaction. */
const MAX_REQUEST_TEXT = 10_000_000;
/** As so many characters counts a step of a Liquid template: all of one request take some tenths of a second. */
const CHARACTERS_A_STEP = 5;

/** What becomes of a draft whose variables do not fit its template. */
export type OnFault = (draft: Draft, fault: UserError) => Draft;

/**
 * Step 4: each recipient's text, in their language. A recipient who lacks a required variable, or for whose channel there is
 * no template, is left out.
 *
 * Refused with VARIABLE_TYPE, VARIABLE_INVALID, TEXT_TOO_LONG, URL_UNSAFE, HTML_UNSAFE, TEMPLATE_LIMIT or TEMPLATE_SYNTAX, every fault
 * at once, where variables are not of the types that the templates declare or make a text that must not be sent; or with
 * RENDERED_TOO_LARGE.
 */
export function renderDrafts(
  drafts: readonly Draft[],
  templates: readonly ActiveTemplate[],
  profiles: ReadonlyMap<string, Profile>,
  onFault?: OnFault,
): Result<readonly Draft[]> {
  const faults = new Map<string, UserError>();
  const byKey = new Map(templates.map((template) => [`${template.channel}/${template.language}`, template]));
  // What no template of a type could write is a mistake of its producer's, on whatever channel.
  const isMistake = !onFault && templates.every(({ syntax }) => syntax !== 'LIQUID');
  let size = 0;
  const rendered = drafts.map((draft) => {
    if (isSettled(draft) || size > MAX_REQUEST_TEXT) return draft;
    const { language, timezone } = profiles.get(draft.userId)!;
    const languages = languageChain(language);
    const template = templateFor(byKey, draft.channel, languages);
    if (!template) {
      return suppress(
        draft,
        'TEMPLATE_NOT_FOUND',
        `no active ${draft.channel} template in ${languages.join(', ')}`,
      );
    }
    const reader = { timeZone: timezone, locale: template.locale ?? template.language };
    const wording = draft.people && wordingOf(draft.people, template.language);
    const variables = wording ? { ...draft.variables, ...wording } : draft.variables;
    const rendering = (isMistake && oddVariable(draft)) || renderTemplate(template, variables, reader);
    size += (rendering.work ?? 0) * CHARACTERS_A_STEP;
    if (rendering.kind === 'rendered') size += sizeOf(rendering.content);
    if (rendering.kind === 'rendered' || rendering.kind === 'missing') {
      return withRendering(draft, template, rendering);
    }
    const path = ['input', 'recipients', String(draft.recipient), 'variables'];
    const fault = faultOf(rendering, { ...template, channel: draft.channel }, path);
    if (onFault) return onFault(draft, fault);
    faults.set(`${fault.code}/${fault.path.join('/')}`, fault);
    return draft;
  });
  if (size > MAX_REQUEST_TEXT) {
    const message = `The texts of one request have at most ${MAX_REQUEST_TEXT} characters, and ${MAX_REQUEST_TEXT / CHARACTERS_A_STEP} steps of Liquid make as much work: send to fewer at once`;
    return refused('RENDERED_TOO_LARGE', message, ['input', 'recipients']);
  }
  return faults.size > 0 ? refusedAll([...faults.values()]) : ok(rendered);
}

/** What no plain template could write. */
function oddVariable({ variables }: Draft): Rendering | null {
  for (const variable in variables) {
    if (!isPlainValue(variables[variable]!)) return { kind: 'unwritable', variable };
  }
  return null;
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
  rendering: Extract<Rendering, { kind: 'rendered' | 'missing' }>,
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
