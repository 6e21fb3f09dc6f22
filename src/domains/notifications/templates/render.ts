import type { UserError } from '../../../platform/errors.js';
import type { RenderedContent } from '../providers/provider.js';
import type { Channel } from '../types.js';
import { compileHtml, compileLine, compileLink, compileText, MAX_TEXT, type Unfit } from './fill.js';
import type { Partials } from './liquid/parse.js';
import { liquidRenderer } from './liquid/render.js';
import type { Reader } from './liquid/run.js';
import { compilePushOptions, type PushOptions } from './push-options.js';
import {
  createPlaces,
  givenValue,
  isPlainValue,
  typeOfValue,
  type Variables,
  type VariableType,
  type VariableValue,
} from './variables.js';

export type { Variables, VariableValue } from './variables.js';

/** What a template says of one variable. */
export interface VariableRule {
  readonly type: VariableType;
  readonly required: boolean;
  readonly default?: VariableValue | undefined;
}
export type VariableSchema = Readonly<Record<string, VariableRule>>;

/** What a template's texts are written in: placeholders alone, or Liquid with conditions, loops and partials. */
export const templateSyntaxes = ['PLAIN', 'LIQUID'] as const;
export type TemplateSyntax = (typeof templateSyntaxes)[number];

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
  /** Absent: PLAIN. */
  readonly syntax?: TemplateSyntax | undefined;
  /** What its partials say. Absent: it has none. */
  readonly partials?: Partials | undefined;
}

/**
 * What became of one rendering.
 * - `missing`: a required variable is absent and has no default
 * - `mistyped`: a variable is not of its declared type
 * - `unwritable`: a list, an object or a truth value is given to a plain template
 * - `unfit`: a field became too long or took too many steps, a link that must not be opened, or HTML in which a value could do harm
 */
export type Rendering = Outcome & {
  /** The steps that a Liquid template took; absent for plain ones. */
  readonly work?: number;
};
type Outcome =
  | { readonly kind: 'rendered'; readonly content: RenderedContent }
  | { readonly kind: 'missing'; readonly variable: string }
  | { readonly kind: 'mistyped'; readonly variable: string; readonly expected: VariableType }
  | { readonly kind: 'unwritable'; readonly variable: string }
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

/** For whom a template is rendered where nobody says: dates are those of UTC, and words English. */
const NOBODY: Reader = { timeZone: 'UTC', locale: 'en' };

/**
 * Renders a template by the notification document's rules 1 and 3 to 7. Values are never rendered again. To render
 * a template again, pass the same object: it is compiled once.
 */
export function renderTemplate(template: TemplateText, given: Variables, reader: Reader = NOBODY): Rendering {
  const { rules, isPlain, render } = compiled(template);
  for (const [name, rule] of rules) {
    const value = givenValue(given, name);
    if (value === undefined) {
      if (rule.required && rule.default === undefined) return { kind: 'missing', variable: name };
    } else if (typeof value !== rule.type && typeOfValue(value) !== rule.type) {
      if (isPlain && !isPlainValue(value)) return { kind: 'unwritable', variable: name };
      return { kind: 'mistyped', variable: name, expected: rule.type };
    }
  }
  return render(given, reader);
}

/** A template taken apart. */
interface Compiled {
  readonly rules: readonly (readonly [string, VariableRule])[];
  readonly isPlain: boolean;
  readonly render: (given: Variables, reader: Reader) => Rendering;
}

const compiledTemplates = new WeakMap<TemplateText, Compiled>();

function compiled(template: TemplateText): Compiled {
  const known = compiledTemplates.get(template);
  if (known) return known;
  const isPlain = template.syntax !== 'LIQUID';
  const render = isPlain ? plainRenderer(template) : liquidRenderer(template);
  const made = { rules: Object.entries(template.variables), isPlain, render };
  compiledTemplates.set(template, made);
  return made;
}

function plainRenderer(template: TemplateText): Compiled['render'] {
  const { names, placeOf } = createPlaces();
  const fills = fields.flatMap(([field, compile]) => {
    const text = template[field];
    return text === null ? [] : [{ field, fill: compile(text, placeOf) }];
  });
  const fillOptions = compilePushOptions(template.pushOptions ?? {}, {
    line: (text) => compileLine(text, placeOf),
    text: (text) => compileText(text, placeOf),
  });
  const byName = new Map(Object.entries(template.variables));
  const defaults = names.map((name) => String(byName.get(name)?.default ?? ''));
  return (given) => {
    const values: string[] = [];
    for (let n = 0; n < names.length; n += 1) {
      const value = givenValue(given, names[n]!);
      if (value !== undefined && !isPlainValue(value)) return { kind: 'unwritable', variable: names[n]! };
      values.push(String(value ?? defaults[n]));
    }
    const content: Texts = { body: '' };
    for (const { field, fill } of fills) {
      const filled = fill(values);
      if (!filled.ok) return { kind: 'unfit', field, why: filled.unfit };
      content[field] = filled.text;
    }
    return { kind: 'rendered', content: { ...content, ...fillOptions(values) } };
  };
}

/** The languages to look for, best first: `pt-BR` → `pt` → `en`. */
export function languageChain(language: string | null): readonly string[] {
  const wanted = language ?? 'en';
  return [...new Set([wanted, wanted.split('-')[0]!, 'en'])];
}

/**
 * Why a template and these variables make no text: MISSING_VARIABLE, VARIABLE_TYPE, VARIABLE_INVALID, TEXT_TOO_LONG, URL_UNSAFE,
 * HTML_UNSAFE, TEMPLATE_LIMIT or TEMPLATE_SYNTAX.
 */
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
    case 'unwritable': {
      const message =
        'A variable of a plain template is a text or a number: only Liquid templates take others';
      return { code: 'VARIABLE_INVALID', message, path: [...variablesPath, rendering.variable] };
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
  TEMPLATE_LIMIT: 'a text that takes too many steps, or a loop of too many items,',
  TEMPLATE_SYNTAX: 'a text that cannot be read, by a partial that has changed,',
};
