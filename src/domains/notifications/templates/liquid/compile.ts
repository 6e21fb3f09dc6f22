import { isOpenable } from '../../text.js';
import { type Filled, onOneLine } from '../fill.js';
import { compileHtmlSteps, type HtmlFault } from './html.js';
import { addToLink, addValueToLink, closeLink, linkField, openLink } from './link.js';
import type { Node, Output, Text } from './nodes.js';
import { type FindPartial, parseLiquid } from './parse.js';
import { LiquidFault } from './position.js';
import { perform, type Run, type Step, write } from './run.js';
import { rootScope } from './scope.js';
import { toText } from './values.js';

/** What a field is: plain text of any number of lines, one line, a link, or HTML. */
export type FieldKind = 'text' | 'line' | 'link' | 'html';

/** Why a field cannot be one, with the line and the column. */
export interface FieldFault {
  readonly code: HtmlFault['code'] | 'TEMPLATE_SYNTAX';
  readonly message: string;
}

/** Fills one field within the rendering of its template. */
export type FillField = (run: Run) => Filled;

export interface CompiledField {
  readonly fill: FillField;
  /** Empty where it can be rendered. */
  readonly faults: readonly FieldFault[];
}

/**
 * Takes a field of a Liquid template apart, once for all renderings. A field with faults renders as TEMPLATE_SYNTAX or HTML_UNSAFE.
 *
 * @param placeOf the place of a variable among the template's values
 * @param itself the name of the partial whose text this is; absent for other templates
 */
export function compileLiquid(
  kind: FieldKind,
  text: string,
  placeOf: (name: string) => number,
  findPartial: FindPartial,
  itself: string | null = null,
): CompiledField {
  let nodes: readonly Node[];
  try {
    nodes = parseLiquid(text, rootScope(placeOf), findPartial, itself);
  } catch (error) {
    if (!(error instanceof LiquidFault)) throw error;
    return broken({ code: 'TEMPLATE_SYNTAX', message: error.message });
  }
  switch (kind) {
    case 'text':
      return { fill: filler(stepsOf(nodes, writeText, writeOutput)), faults: [] };
    case 'line': {
      const fill = filler(stepsOf(nodes, writeText, writeOutput));
      return { fill: (run) => onOneLine(fill(run)), faults: [] };
    }
    case 'link': {
      const bad = firstText(nodes);
      if (!isOpenable(bad))
        return broken({ code: 'URL_UNSAFE', message: `It begins with ${bad.slice(0, 100)}` });
      return {
        fill: filler([openLink, ...stepsOf(nodes, linkText, linkOutput), closeLink(linkField)]),
        faults: [],
      };
    }
    case 'html': {
      const { steps, faults } = compileHtmlSteps(nodes);
      return faults[0] ? broken(faults[0], ...faults.slice(1)) : { fill: filler(steps), faults };
    }
  }
}

function broken(...faults: readonly [FieldFault, ...FieldFault[]]): CompiledField {
  const unfit = faults[0].code === 'TAG_MISPLACED' ? 'HTML_UNSAFE' : faults[0].code;
  return { fill: () => ({ ok: false, unfit }), faults };
}

function filler(steps: readonly Step[]): FillField {
  return (run) => {
    run.text = '';
    run.link = null;
    return perform(steps, run) ? { ok: true, text: run.text } : { ok: false, unfit: run.unfit! };
  };
}

/** All steps of a text in which every place is the same. */
function stepsOf(
  nodes: readonly Node[],
  ofText: (text: Text) => Step,
  ofOutput: (output: Output) => Step,
): readonly Step[] {
  return nodes.map((node): Step => {
    if (node.kind === 'text') return ofText(node);
    if (node.kind === 'output') return ofOutput(node);
    const parts = node.parts.map((part) => stepsOf(part.nodes, ofText, ofOutput));
    return (run) => node.render(run, parts);
  });
}

const writeText =
  ({ text }: Text): Step =>
  (run) =>
    write(run, text);
const writeOutput =
  ({ read }: Output): Step =>
  (run) =>
    write(run, toText(read(run)));
const linkText = ({ text }: Text): Step => addToLink(text, text);
const linkOutput =
  ({ read }: Output): Step =>
  (run) =>
    addValueToLink(run, toText(read(run)));

/** The first text of a link that no value stands before: how it begins on one of the ways through its tags. */
function firstText(nodes: readonly Node[]): string {
  for (const node of nodes) {
    if (node.kind === 'output') return '';
    const text =
      node.kind === 'text'
        ? node.text
        : (node.parts.map(({ nodes: own }) => firstText(own)).find(Boolean) ?? '');
    if (text.trim() !== '') return text;
  }
  return '';
}
