import type { UserError } from '../../../platform/errors.js';
import type { RenderedContent } from '../providers/provider.js';
import type { Channel } from '../types.js';
import {
  compileHtml,
  compileLine,
  compileLink,
  compileText,
  type Fill,
  MAX_TEXT,
  type Unfit,
} from './fill.js';
import { compilePushOptions, type PushOptions } from './push-options.js';

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
  /** Absent: none. */
  readonly pushOptions?: PushOptions | undefined;
}

/**
 * What became of one rendering.
 * - `missing`: a required variable is absent and has no default
 * - `mistyped`: a variable is not of its declared type
 * - `unfit`: a field became too long, a link that must not be opened, or HTML in which a value could do harm
 */
export type Rendering =
  | { readonly kind: 'rendered'; readonly content: RenderedContent }
  | { readonly kind: 'missing'; readonly variable: string }
  | { readonly kind: 'mistyped'; readonly variable: string; readonly expected: VariableRule['type'] }
  | { readonly kind: 'unfit'; readonly field: keyof RenderedContent; readonly why: Unfit };

/** How each field is filled. */
const fields = [
  ['title', compileLine],
  ['subject', compileLine],
  ['body', compileText],
  ['htmlBody', compileHtml],
  ['imageUrl', compileLink],
  ['actionUrl', compileLink],
] as const;
type TextField = (typeof fields)[number][0];
type Writable<T> = { -readonly [Field in keyof T]: T[Field] };
type Texts = Writable<Pick<RenderedContent, TextField>>;

/**
 * Renders a template by the notification document's rules 1 and 3 to 7. Values are never rendered again. To render
 * a template again, pass the same object: it is compiled once.
 */
export function renderTemplate(template: TemplateText, given: Variables): Rendering {
  const { rules, names, defaults, fills, fillOptions } = compiled(template);
  for (const [name, rule] of rules) {
    const value = givenValue(given, name);
    if (value === undefined) {
      if (rule.required && rule.default === undefined) return { kind: 'missing', variable: name };
    } else if (typeof value !== rule.type) {
      return { kind: 'mistyped', variable: name, expected: rule.type };
    }
  }
  const values = names.map((name, n) => String(givenValue(given, name) ?? defaults[n]));
  const content: Texts = { body: '' };
  for (const { field, fill } of fills) {
    const filled = fill(values);
    if (!filled.ok) return { kind: 'unfit', field, why: filled.unfit };
    content[field] = filled.text;
  }
  return { kind: 'rendered', content: { ...content, ...fillOptions(values) } };
}

/** A template taken apart. */
interface Compiled {
  readonly rules: readonly (readonly [string, VariableRule])[];
  /** Of all placeholders. */
  readonly names: readonly string[];
  /** Of `names`, in their order. */
  readonly defaults: readonly string[];
  readonly fills: readonly { readonly field: TextField; readonly fill: Fill }[];
  readonly fillOptions: ReturnType<typeof compilePushOptions>;
}

const compiledTemplates = new WeakMap<TemplateText, Compiled>();

function compiled(template: TemplateText): Compiled {
  const known = compiledTemplates.get(template);
  if (known) return known;
  const names: string[] = [];
  const places = new Map<string, number>();
  const placeOf = (name: string): number => {
    const place = places.get(name) ?? names.push(name) - 1;
    places.set(name, place);
    return place;
  };
  const fills = fields.flatMap(([field, compile]) => {
    const text = template[field];
    return text === null ? [] : [{ field, fill: compile(text, placeOf) }];
  });
  const fillOptions = compilePushOptions(template.pushOptions ?? {}, placeOf);
  const rules = Object.entries(template.variables);
  const byName = new Map(rules);
  const defaults = names.map((name) => String(byName.get(name)?.default ?? ''));
  const made = { rules, names, defaults, fills, fillOptions };
  compiledTemplates.set(template, made);
  return made;
}

/** The languages to look for, best first: `pt-BR` → `pt` → `en`. */
export function languageChain(language: string | null): readonly string[] {
  const wanted = language ?? 'en';
  return [...new Set([wanted, wanted.split('-')[0]!, 'en'])];
}

/** Own members only: `{{constructor}}` is a variable like any other. */
const givenValue = (given: Variables, name: string): VariableValue | undefined =>
  Object.hasOwn(given, name) ? given[name] : undefined;

/** Why a template and these variables make no text: MISSING_VARIABLE, VARIABLE_TYPE, TEXT_TOO_LONG, URL_UNSAFE or HTML_UNSAFE. */
export function faultOf(
  rendering: Exclude<Rendering, { kind: 'rendered' }>,
  { templateId, channel }: { readonly templateId: string; readonly channel: Channel },
  variablesPath: readonly string[],
): UserError & { readonly path: readonly string[] } {
  switch (rendering.kind) {
    case 'missing': {
      const message = missing(rendering.variable, templateId);
      return { code: 'MISSING_VARIABLE', message, path: [...variablesPath, rendering.variable] };
    }
    case 'mistyped': {
      const message = `Variable ${rendering.variable} must be a ${rendering.expected}`;
      return { code: 'VARIABLE_TYPE', message, path: [...variablesPath, rendering.variable] };
    }
    case 'unfit': {
      const message = `${rendering.field} becomes ${becomes[rendering.why]} on ${channel}`;
      return { code: rendering.why, message, path: variablesPath };
    }
  }
}

/** Names the variable and the template. */
export const missing = (variable: string, templateId: string): string =>
  `variable ${variable} of template ${templateId} is missing`;

const becomes: Readonly<Record<Unfit, string>> = {
  TEXT_TOO_LONG: `longer than ${MAX_TEXT} characters`,
  URL_UNSAFE: 'a link that must not be opened',
  HTML_UNSAFE: 'HTML in which a value could do harm',
};
