import type { RenderedContent } from '../providers/provider.js';
import { fillHtml, fillLine, fillLink, fillText, type LookUp, type Unfit } from './fill.js';

export type VariableValue = string | number;
export type Variables = Readonly<Record<string, VariableValue>>;

/** What a template says of one variable. */
export interface VariableRule {
  readonly type: 'string' | 'number';
  readonly required: boolean;
  readonly default?: VariableValue | undefined;
}
export type VariableSchema = Readonly<Record<string, VariableRule>>;

/** The fields of a template that rendering reads: null where it has none. */
export interface TemplateText {
  readonly title: string | null;
  readonly subject: string | null;
  readonly body: string;
  readonly htmlBody: string | null;
  readonly imageUrl: string | null;
  readonly actionUrl: string | null;
  readonly variables: VariableSchema;
}

/**
 * What became of one rendering.
 * - `missing`: a required variable is absent and has no default
 * - `mistyped`: a variable is not of its declared type
 * - `unfit`: a field became too long, or a link that must not be opened
 */
export type Rendering =
  | { readonly kind: 'rendered'; readonly content: RenderedContent }
  | { readonly kind: 'missing'; readonly variable: string }
  | { readonly kind: 'mistyped'; readonly variable: string; readonly expected: VariableRule['type'] }
  | { readonly kind: 'unfit'; readonly field: keyof RenderedContent; readonly why: Unfit };

/** How each field is filled. */
const fields = [
  ['title', fillLine],
  ['subject', fillLine],
  ['body', fillText],
  ['htmlBody', fillHtml],
  ['imageUrl', fillLink],
  ['actionUrl', fillLink],
] as const;

/** Renders a template by the notification document's rules 1 and 3 to 7. Values are never rendered again. */
export function renderTemplate(template: TemplateText, given: Variables): Rendering {
  for (const [name, rule] of Object.entries(template.variables)) {
    const value = givenValue(given, name);
    if (value !== undefined && typeof value !== rule.type) {
      return { kind: 'mistyped', variable: name, expected: rule.type };
    }
    if (value === undefined && rule.default === undefined && rule.required) {
      return { kind: 'missing', variable: name };
    }
  }
  return fillFields(template, (name) => lookUp(template, given, name));
}

function fillFields(template: TemplateText, lookUp: LookUp): Rendering {
  const content: Partial<Record<keyof RenderedContent, string>> = {};
  for (const [field, fill] of fields) {
    const text = template[field];
    if (text === null) continue;
    const filled = fill(text, lookUp);
    if (!filled.ok) return { kind: 'unfit', field, why: filled.unfit };
    content[field] = filled.text;
  }
  return { kind: 'rendered', content: { ...content, body: content.body ?? '' } };
}

/** The languages to look for, best first: `pt-BR` → `pt` → `en`. */
export function languageChain(language: string | null): readonly string[] {
  const wanted = language ?? 'en';
  return [...new Set([wanted, wanted.split('-')[0]!, 'en'])];
}

function lookUp(template: TemplateText, given: Variables, name: string): string {
  const rule = Object.hasOwn(template.variables, name) ? template.variables[name] : undefined;
  return String(givenValue(given, name) ?? rule?.default ?? '');
}

/** Own members only: `{{constructor}}` is a variable like any other. */
const givenValue = (given: Variables, name: string): VariableValue | undefined =>
  Object.hasOwn(given, name) ? given[name] : undefined;
