import type { RenderedContent } from '../providers/provider.js';

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
 */
export type Rendering =
  | { readonly kind: 'rendered'; readonly content: RenderedContent }
  | { readonly kind: 'missing'; readonly variable: string }
  | { readonly kind: 'mistyped'; readonly variable: string; readonly expected: VariableRule['type'] };

const PLACEHOLDER = /\{\{(\w+)\}\}/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

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
  const fill = (text: string): string =>
    text.replace(PLACEHOLDER, (_, name: string) => escapeText(lookUp(template, given, name)));
  const fillHtml = (html: string): string =>
    html.replace(PLACEHOLDER, (_, name: string, offset: number) => {
      const value = lookUp(template, given, name);
      return isInsideTag(html, offset) ? escapeAttribute(value) : escapeText(value);
    });
  const { title, subject, body, htmlBody, imageUrl, actionUrl } = template;
  return {
    kind: 'rendered',
    content: {
      ...(title !== null && { title: fill(title) }),
      ...(subject !== null && { subject: fill(subject) }),
      body: fill(body),
      ...(htmlBody !== null && { htmlBody: fillHtml(htmlBody) }),
      ...(imageUrl !== null && { imageUrl: fill(imageUrl) }),
      ...(actionUrl !== null && { actionUrl: fill(actionUrl) }),
    },
  };
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

const escapeText = (value: string): string => value.replace(/[&<>]/g, (character) => ENTITIES[character]!);

/** Within a tag a quote would end the attribute, so quotes are escaped besides what the document names. */
const escapeAttribute = (value: string): string =>
  value.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

const isInsideTag = (html: string, offset: number): boolean =>
  offset > 0 && html.lastIndexOf('<', offset - 1) > html.lastIndexOf('>', offset - 1);
