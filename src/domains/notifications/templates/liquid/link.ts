import { escapeAll, escapeAttribute } from '../escape.js';
import { type Filled, isStyleValue, linkFiller, MAX_TEXT } from '../fill.js';
import { type HtmlPlace, LINKS, linkBefore } from '../html-places.js';
import { urlWriter } from '../url-values.js';
import { type OpenLink, type Run, type Step, stop, write } from './run.js';

/** How a link's values are written into it, on one way through its tags: what stands on that way is a plain template's link. */
type FillLink = (values: readonly string[]) => Filled;

/** On different ways through its tags a link is put together differently; so many are kept. */
const MAX_WAYS = 50;
/** In steps: links are parsed, and a way that is not kept is taken apart. */
const COST = { known: 10, new: 60 };

/** Begins to put a link together. */
export const openLink: Step = (run) => {
  run.link = { literals: [''], decoded: [''], values: [], length: 0 };
  return true;
};

/** Writes the link that was put together. */
export function closeLink(compile: (link: OpenLink) => FillLink): Step {
  const ways = new Map<string, FillLink>();
  return (run) => {
    const link = run.link!;
    run.link = null;
    const way = link.literals.join('\0');
    let fill = ways.get(way);
    run.work -= fill ? COST.known : COST.new;
    if (!fill) {
      fill = compile(link);
      if (ways.size >= MAX_WAYS) ways.clear();
      ways.set(way, fill);
    }
    const filled = fill(link.values);
    return filled.ok ? write(run, filled.text) : stop(run, filled.unfit);
  };
}

/** Adds what the template has of the link there. */
export const addToLink =
  (text: string, decoded: string): Step =>
  (run) => {
    const link = run.link!;
    link.literals[link.literals.length - 1] += text;
    link.decoded[link.decoded.length - 1] += decoded;
    return grow(run, link, text.length);
  };

export function addValueToLink(run: Run, value: string): boolean {
  const link = run.link!;
  link.values.push(value);
  link.literals.push('');
  link.decoded.push('');
  return grow(run, link, value.length);
}

function grow(run: Run, link: OpenLink, by: number): boolean {
  link.length += by;
  return link.length <= MAX_TEXT || stop(run, 'TEXT_TOO_LONG');
}

/** A field that is a link. */
export const linkField = ({ literals }: OpenLink): FillLink => linkFiller(asPieces(literals), Number);

/** An attribute that is a link, a list of links, or a style: each value is encoded for its place in it, then escaped. */
export function linkAttribute(
  name: string,
  within: HtmlPlace['within'],
  quote: string,
): (link: OpenLink) => FillLink {
  const escaped = within === 'comment' ? escapeAll : escapeAttribute;
  return ({ literals, decoded }) => {
    let before = '';
    const encoders = literals.slice(0, -1).map((literal, n) => {
      before += literal;
      const url = linkBefore(name, before);
      const next = literals.slice(n + 1).find((one) => one !== '')?.[0] ?? quote;
      return url === null ? asIs : urlWriter(url, next);
    });
    const isOpenable = LINKS.test(name) && encoders.length > 0 ? linkFiller(asPieces(decoded), Number) : null;
    return (values) => {
      const encoded = values.map((value, n) => encoders[n]!(value));
      if (name === 'style' && !encoded.every((value) => isStyleValue(value ?? ''))) {
        return { ok: false, unfit: 'HTML_UNSAFE' };
      }
      const opened = isOpenable?.(values);
      if (opened && !opened.ok) return opened;
      let text = literals[0]!;
      for (const [n, value] of encoded.entries()) {
        if (value === null) return { ok: false, unfit: 'URL_UNSAFE' };
        text += escaped(value) + literals[n + 1]!;
        if (text.length > MAX_TEXT) return { ok: false, unfit: 'TEXT_TOO_LONG' };
      }
      return { ok: true, text };
    };
  };
}

/** Literals around values, each of which stands for itself. */
const asPieces = (literals: readonly string[]) => ({
  literals,
  names: literals.slice(1).map((_, n) => String(n)),
});
const asIs = (value: string): string => value;
