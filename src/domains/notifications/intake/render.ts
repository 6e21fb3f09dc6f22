import { ok, type Result, refused, refusedAll, type UserError } from '../../../platform/errors.js';
import { wordingOf } from '../grouping/wording.js';
import type { RenderedContent } from '../providers/provider.js';
import type { ActiveTemplate } from '../templates/active-templates.js';
import { faultOf, languageChain, missing, type Rendering, renderTemplate } from '../templates/render.js';
import { isPlainValue, type Variables } from '../templates/variables.js';
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
 *
 * @param templateId what the request names; it stands in what is said of who is left out for want of a text
 * @param templates the active ones of its type
 */
export function renderDrafts(
  drafts: readonly Draft[],
  templateId: string,
  templates: readonly ActiveTemplate[],
  profiles: ReadonlyMap<string, Profile>,
  onFault?: OnFault,
): Result<readonly Draft[]> {
  const faults = new Map<string, UserError>();
  const templateOf = createTemplateChoice(templates);
  const renderFor = createRenderings();
  // What no template of a type could write is a mistake of its producer's, on whatever channel.
  const isMistake = !onFault && templates.every(({ syntax }) => syntax !== 'LIQUID');
  let size = 0;
  const rendered = drafts.map((draft) => {
    if (isSettled(draft) || size > MAX_REQUEST_TEXT) return draft;
    const { language, timezone } = profiles.get(draft.userId)!;
    const template = templateOf(draft.channel, language);
    if (!template) {
      const languages = languageChain(language).join(', ');
      return suppress(
        draft,
        'TEMPLATE_NOT_FOUND',
        `no active ${draft.channel} template of the type of ${templateId} in ${languages}`,
      );
    }
    const wording = draft.people && wordingOf(draft.people, template.language);
    const variables = wording ? { ...draft.variables, ...wording } : draft.variables;
    const rendering = (isMistake && oddVariable(draft)) || renderFor(template, variables, timezone);
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
function createTemplateChoice(templates: readonly ActiveTemplate[]) {
  const byKey = new Map(templates.map((template) => [`${template.channel}/${template.language}`, template]));
  const chosen = new Map<string, ActiveTemplate | undefined>();
  return (channel: Channel, language: string | null): ActiveTemplate | undefined => {
    const choice = `${channel}/${language}`;
    if (chosen.has(choice)) return chosen.get(choice);
    const { textOf = channel } = rulesOfChannel(channel);
    const languages = languageChain(language);
    const keys = [channel, textOf].flatMap((owner) => languages.map((one) => `${owner}/${one}`));
    const template = keys.map((key) => byKey.get(key)).find(Boolean);
    chosen.set(choice, template);
    return template;
  };
}

/** Renders once what the recipients of a campaign share: a template with the same object of variables, in one zone. */
function createRenderings() {
  const last = new Map<ActiveTemplate, { variables: Variables; timeZone: string; rendering: Rendering }>();
  return (template: ActiveTemplate, variables: Variables, timeZone: string): Rendering => {
    const known = last.get(template);
    const isPlain = template.syntax !== 'LIQUID';
    if (known?.variables === variables && (isPlain || known.timeZone === timeZone)) return known.rendering;
    const reader = { timeZone, locale: template.locale ?? template.language };
    const rendering = renderTemplate(template, variables, reader);
    last.set(template, { variables, timeZone, rendering });
    return rendering;
  };
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
