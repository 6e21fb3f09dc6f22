import { isOpenable } from '../../text.js';
import { escapeAll, escapeAttribute, escapeText } from '../escape.js';
import { type FilledAttribute, type HtmlPlace, isLinked, readHtmlPlaces } from '../html-places.js';
import { addToLink, addValueToLink, closeLink, linkAttribute, openLink } from './link.js';
import type { Block, Mark, Node } from './nodes.js';
import { placeOf } from './position.js';
import { type Read, type Step, write } from './run.js';
import { toText } from './values.js';

/** What is wrong with a template's HTML, as a code and a sentence. */
export interface HtmlFault {
  readonly code: 'HTML_UNSAFE' | 'TAG_MISPLACED' | 'URL_UNSAFE';
  readonly message: string;
}

/**
 * Finds out where outputs and tags stand in HTML, and makes the steps that write it.
 *
 * The text is read as if each output and each tag were a placeholder, all branches one after the other. What a browser makes of that
 * depends on no branch: whatever is accepted here has its tags either all between the HTML's, where each piece of HTML begins and ends
 * as text, or all within one attribute or one text. So each value has one place, however the tags are run through.
 */
export function compileHtmlSteps(nodes: readonly Node[]): {
  readonly steps: readonly Step[];
  readonly faults: readonly HtmlFault[];
} {
  const flat = new Flat();
  flat.add(nodes);
  const { places, attributes, links, faults } = readHtmlPlaces(flat.html);
  const found = [
    ...faults.map((fault): HtmlFault => ({ code: 'HTML_UNSAFE', message: flat.named(fault) })),
    ...flat.misplaced(places),
    ...badLinks(links).map(
      (link): HtmlFault => ({
        code: 'URL_UNSAFE',
        message: `The link ${flat.named(link).slice(0, 100)} must not be opened`,
      }),
    ),
  ];
  if (found.length > 0) return { steps: [], faults: found };
  return { steps: new Writer(flat.html, places, attributes).stepsOf(nodes), faults: [] };
}

/** Links that begin, before any value, with what must not be opened. */
const badLinks = (links: readonly string[]): readonly string[] =>
  links.filter((link) => {
    const pieces = link.split(MARK);
    const first = pieces.findIndex((piece) => piece.trim() !== '');
    return first >= 0 && !isOpenable(pieces[first]!);
  });

/** Stands for an output or a tag. No text of a template has `{{` in it. */
const markAs = (n: number): string => `{{m${n}}}`;
const MARK = /\{\{m\d+\}\}/;

/** The text of a template in one piece. */
class Flat {
  html = '';
  private readonly marks: Mark[] = [];
  private readonly blocks: (readonly number[])[] = [];

  add(nodes: readonly Node[]): void {
    for (const node of nodes) {
      if (node.kind === 'text') this.html += node.text;
      else if (node.kind === 'output') this.mark(node.mark);
      else {
        const marks: number[] = [];
        for (const part of node.parts) {
          marks.push(this.mark(part.mark));
          this.add(part.nodes);
        }
        this.blocks.push([...marks, this.mark(node.end)]);
      }
    }
  }

  private mark(mark: Mark): number {
    const n = this.marks.push(mark) - 1;
    this.html += markAs(n);
    return n;
  }

  /** A text in which marks are written as they stand in the template, and where. */
  named(text: string): string {
    return text.replaceAll(/\{\{m(\d+)\}\}/g, (_, n) => this.describe(Number(n)));
  }

  private describe(n: number): string {
    const { text, source, offset } = this.marks[n]!;
    return `${text} (${placeOf(source, offset)})`;
  }

  /** The tags of one block stand in one region, and in no comment. */
  misplaced(places: readonly HtmlPlace[]): readonly HtmlFault[] {
    return this.blocks.flatMap((block): HtmlFault[] => {
      const [first, ...others] = block;
      const place = places[first!]!;
      if (place.within === 'comment') {
        return [{ code: 'TAG_MISPLACED', message: `${this.describe(first!)} may not stand in a comment` }];
      }
      const other = others.find(
        (n) => places[n]!.within !== place.within || places[n]!.region !== place.region,
      );
      if (other === undefined) return [];
      const message = `${this.describe(first!)} and ${this.describe(other)} must stand in one attribute, or both between tags of HTML`;
      return [{ code: 'TAG_MISPLACED', message }];
    });
  }
}

const ESCAPE = { text: escapeText, attribute: escapeAttribute, comment: escapeAll } as const;

/** Goes through the text a second time, and knows at each place where it is. */
class Writer {
  private at = 0;
  private marks = 0;
  /** Those whose values are put together before they are written. */
  private readonly linked: readonly FilledAttribute[];
  private next = 0;

  constructor(
    private readonly html: string,
    private readonly places: readonly HtmlPlace[],
    attributes: readonly FilledAttribute[],
  ) {
    this.linked = attributes.filter(({ name }) => isLinked(name));
  }

  stepsOf(nodes: readonly Node[]): readonly Step[] {
    return nodes.flatMap((node) => {
      if (node.kind === 'text') return this.text(node.text);
      if (node.kind === 'output') return [this.output(node.read)];
      return [this.block(node)];
    });
  }

  private block(block: Block): Step {
    const parts = block.parts.map(({ nodes }) => {
      this.passMark();
      return this.stepsOf(nodes);
    });
    this.passMark();
    return (run) => block.render(run, parts);
  }

  private passMark(): HtmlPlace {
    const n = this.marks++;
    this.at += markAs(n).length;
    return this.places[n]!;
  }

  private output(read: Read): Step {
    const isInLink = this.isWithin(this.at);
    const { within } = this.passMark();
    const escaped = ESCAPE[within];
    if (isInLink) return (run) => addValueToLink(run, toText(read(run)));
    return (run) => write(run, escaped(toText(read(run))));
  }

  /** The text up to the next mark, apart where attributes begin and end that are put together. */
  private text(text: string): readonly Step[] {
    const steps: Step[] = [];
    const end = this.at + text.length;
    while (this.at < end) {
      const attribute = this.linked[this.next];
      if (!attribute || attribute.start > end) {
        steps.push(this.literal(end));
      } else if (this.at < attribute.start) {
        steps.push(this.literal(attribute.start), openLink);
      } else {
        if (this.at < Math.min(end, attribute.end))
          steps.push(this.piece(Math.min(end, attribute.end), attribute));
        if (attribute.end >= end) break;
        const place = this.placeIn(attribute);
        steps.push(closeLink(linkAttribute(attribute.name, place.within, this.html[attribute.end]!)));
        this.next += 1;
      }
    }
    return steps;
  }

  private literal(end: number): Step {
    const text = this.html.slice(this.at, end);
    this.at = end;
    return (run) => write(run, text);
  }

  /** A piece of an attribute between its marks. */
  private piece(end: number, attribute: FilledAttribute): Step {
    const text = this.html.slice(this.at, end);
    const before = this.html.slice(attribute.start, this.at).split(MARK).length - 1;
    this.at = end;
    return addToLink(text, attribute.value.split(MARK)[before] ?? text);
  }

  private placeIn({ start }: FilledAttribute): HtmlPlace {
    const first = Number(/\{\{m(\d+)\}\}/.exec(this.html.slice(start))![1]);
    return this.places[first]!;
  }

  private isWithin(at: number): boolean {
    const attribute = this.linked[this.next];
    return attribute !== undefined && attribute.start <= at && at < attribute.end;
  }
}
