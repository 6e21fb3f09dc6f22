import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';

const FILTERS = [
  'upcase',
  'downcase',
  'capitalize',
  'strip',
  'truncate: 80',
  'default: ""',
  'size',
  'first',
  'last',
  'join: ", "',
  'plus: 1',
  'minus: 1',
  'times: 1',
  'divided_by: 1',
  'round',
  'date: "%x"',
  'pluralize: "item", "items"',
];
const TAGS = [
  'if ',
  'elsif ',
  'else %}',
  'endif %}',
  'unless ',
  'endunless %}',
  'case ',
  'when ',
  'endcase %}',
  'for item in ',
  'endfor %}',
  'render "',
  'comment %}',
  'endcomment %}',
];

/** Completion within `{{ … }}` and `{% … %}`: what is declared, filters behind a bar, tags. */
export function completeLiquid(
  context: CompletionContext,
  { names, isLiquid }: { readonly names: readonly string[]; readonly isLiquid: boolean },
): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  const open = /(\{\{|\{%)-?((?:(?!\}\}|%\}).)*)$/.exec(before);
  if (!open) return null;
  const [, kind, inside = ''] = open;
  const word = /\w*$/.exec(inside)![0];
  const rest = inside.slice(0, inside.length - word.length).trim();
  const from = context.pos - word.length;
  const options = (labels: readonly string[], type: string) => labels.map((label) => ({ label, type }));
  if (isLiquid && rest.endsWith('|')) return { from, options: options(FILTERS, 'function') };
  if (isLiquid && kind === '{%' && rest === '') return { from, options: options(TAGS, 'keyword') };
  return { from, options: options(names, 'variable'), validFor: /^\w*$/ };
}
