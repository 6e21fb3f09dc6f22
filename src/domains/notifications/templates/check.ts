import type { UserError } from '../../../platform/errors.js';
import { isBlank, isStorable } from '../../../platform/text.js';
import { checkName, hasControl, isOpenable } from '../text.js';
import { type Channel, channelsWith } from '../types.js';
import { findHtmlFaults, MAX_TEXT } from './fill.js';
import type { Partials } from './liquid/parse.js';
import { liquidFaults } from './liquid/render.js';
import { partialNameOf } from './partials.js';
import { findPlaceholders } from './placeholders.js';
import { checkPushOptions, type PushOptions } from './push-options.js';
import type { TemplateSyntax } from './render.js';
import { variableSchema } from './template.js';

/** A template to be saved. */
export interface TemplateDraft {
  readonly templateId?: string | undefined;
  readonly notificationType: string;
  readonly channel: Channel;
  readonly language: string;
  readonly subject?: string | undefined;
  readonly title?: string | undefined;
  readonly body: string;
  readonly htmlBody?: string | undefined;
  readonly imageUrl?: string | undefined;
  readonly actionUrl?: string | undefined;
  readonly variables?: unknown;
  readonly pushOptions?: PushOptions | undefined;
  /** Absent: PLAIN. */
  readonly syntax?: TemplateSyntax | undefined;
  readonly activate: boolean;
}

const texts = ['subject', 'title', 'body', 'htmlBody', 'imageUrl', 'actionUrl'] as const;
/** Fields of one line. */
const lines: readonly (typeof texts)[number][] = ['subject', 'title', 'imageUrl', 'actionUrl'];
const links: readonly (typeof texts)[number][] = ['imageUrl', 'actionUrl'];
/** Of one field. */
const MAX_PLACEHOLDERS = 200;
/** So many of one kind are reported. */
const MAX_FAULTS = 10;

/**
 * Every fault of a template: ID_INVALID, TYPE_INVALID, LANGUAGE_INVALID, BODY_REQUIRED, TEXT_INVALID, URL_UNSAFE,
 * HTML_UNSAFE, FIELD_NOT_FOR_CHANNEL, VARIABLES_INVALID; of a Liquid one TEMPLATE_SYNTAX and TAG_MISPLACED too, with line and column.
 *
 * @param root where the template stands in the input
 * @param partials what the template's partials say
 */
export function checkTemplate(
  draft: TemplateDraft,
  root: readonly string[] = ['input'],
  partials?: Partials,
): readonly UserError[] {
  const isLiquid = draft.syntax === 'LIQUID';
  const itself = partialNameOf(draft.notificationType);
  const faults: UserError[] = [];
  const fault = (code: string, message: string, ...path: string[]): void => {
    faults.push({ code, message, path: [...root, ...path] });
  };
  if (draft.templateId !== undefined)
    faults.push(...checkName('ID_INVALID', draft.templateId, [...root, 'templateId']));
  faults.push(...checkName('TYPE_INVALID', draft.notificationType, [...root, 'notificationType']));
  if (!isLanguage(draft.language)) {
    fault('LANGUAGE_INVALID', 'language must be a code like en or pt-BR', 'language');
  }
  if (isBlank(draft.body)) fault('BODY_REQUIRED', 'A template needs a body', 'body');
  for (const field of texts) {
    const text = draft[field];
    if (text === undefined) continue;
    if (text.length > MAX_TEXT || !isStorable(text)) {
      fault('TEXT_INVALID', `${field} must be proper text of at most ${MAX_TEXT} characters`, field);
    } else if (isLiquid) {
      for (const { code, message } of liquidFaults(field, text, partials, itself).slice(0, MAX_FAULTS)) {
        fault(code, message, field);
      }
    } else if (findPlaceholders(text).length > MAX_PLACEHOLDERS) {
      fault('TEXT_INVALID', `${field} may have at most ${MAX_PLACEHOLDERS} placeholders`, field);
    } else if (field === 'htmlBody') {
      for (const [code, message] of htmlFaults(text)) fault(code, message, field);
    }
    if (lines.includes(field) && hasControl(text)) {
      fault('TEXT_INVALID', `${field} must be one line without control characters`, field);
    }
    if (links.includes(field) && !isLiquid && !isOpenable(text)) {
      fault('URL_UNSAFE', `${field} must not run or carry content of its own`, field);
    }
    const owners = channelsWith(field);
    if (owners.length > 0 && !owners.includes(draft.channel)) {
      fault('FIELD_NOT_FOR_CHANNEL', `Only ${owners.join(' and ')} templates have a ${field}`, field);
    }
  }
  faults.push(...checkPushOptions(draft.pushOptions, draft.channel, root));
  if (isLiquid && draft.pushOptions?.subtitle !== undefined) {
    for (const { code, message } of liquidFaults('subtitle', draft.pushOptions.subtitle, partials, itself)) {
      fault(code, message, 'pushOptions', 'subtitle');
    }
  }
  // The one name that reading a schema leaves out unsaid.
  if (Object.hasOwn(Object(draft.variables ?? {}), '__proto__')) {
    fault('VARIABLES_INVALID', 'no variable may be named __proto__', 'variables', '__proto__');
  }
  const variables = variableSchema.safeParse(draft.variables ?? {});
  for (const issue of variables.error?.issues.slice(0, MAX_FAULTS) ?? []) {
    fault('VARIABLES_INVALID', issue.message, 'variables', ...issue.path.map(String));
  }
  for (const [name, { type }] of Object.entries(variables.data ?? {})) {
    if (isLiquid || type === 'string' || type === 'number') continue;
    const message = `only templates of the syntax LIQUID have variables of the type ${type}`;
    fault('VARIABLES_INVALID', message, 'variables', name, 'type');
  }
  return faults;
}

function htmlFaults(html: string): (readonly [code: string, message: string])[] {
  const { faults, badLinks } = findHtmlFaults(html);
  return [
    ...faults.slice(0, MAX_FAULTS).map((message) => ['HTML_UNSAFE', message] as const),
    ...badLinks
      .slice(0, MAX_FAULTS)
      .map((link) => ['URL_UNSAFE', `The link ${link.slice(0, 100)} must not be opened`] as const),
  ];
}

/** The text of a template without faults. */
export const textOf = (draft: TemplateDraft) => ({
  title: draft.title ?? null,
  subject: draft.subject ?? null,
  body: draft.body,
  htmlBody: draft.htmlBody ?? null,
  imageUrl: draft.imageUrl ?? null,
  actionUrl: draft.actionUrl ?? null,
  variables: variableSchema.parse(draft.variables ?? {}),
  pushOptions: draft.pushOptions ?? {},
  syntax: draft.syntax ?? ('PLAIN' as const),
});

/** A language code as settings and templates have it: a language, or a language and its region. */
export const isLanguage = (code: string): boolean =>
  /^[a-z]{2,3}(-([A-Z]{2}|[0-9]{3}|[A-Z][a-z]{3}))?$/.test(code);
