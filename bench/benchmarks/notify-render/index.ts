import type { BenchContext, Benchmark, Outcome } from '../../harness/benchmark.ts';
import { type Child, canPin, startChild } from '../../harness/child.ts';
import { type Contestant, median, ratiosOver } from '../../harness/rounds.ts';
import type { RendererMethods } from './renderer-process.ts';
import type { RendererName } from './renderers/index.ts';
import type { Rendered } from './renderers/renderer.ts';
import type { Kind } from './texts.ts';

const ours: RendererName = 'tidings';
const all: readonly RendererName[] = [ours, 'handlebars', 'mustache'];

/** Templates that were taken apart before, rendered for one recipient after the other. */
export const notifyRender: Benchmark = {
  name: 'notify.render',
  summary: 'a push and a mail, rendered for each recipient: tidings, Handlebars, Mustache',
  targets: { 'handlebars-push': 1, 'handlebars-mail': 1 },
  async run(context) {
    const core = (await canPin()) ? 0 : undefined;
    const children = new Map<RendererName, Child<RendererMethods>>();
    try {
      for (const name of all.filter((one) => context.takesPart(one))) {
        children.set(name, startChild(new URL('./renderer-process.ts', import.meta.url), core));
      }
      const outcomes = [await race(context, children, 'push'), await race(context, children, 'mail')];
      return {
        ratios: Object.assign({}, ...outcomes.map(({ ratios }) => ratios)),
        figures: Object.assign({}, ...outcomes.map(({ figures }) => figures)),
      };
    } finally {
      await Promise.all([...children.values()].map((child) => child.stop()));
    }
  },
};

async function race(
  context: BenchContext,
  children: ReadonlyMap<RendererName, Child<RendererMethods>>,
  kind: Kind,
): Promise<Outcome> {
  // Short turns: the machine's pace wavers from second to second, and everybody should meet the same.
  const [seconds, turns] = context.quick ? [0.25, 2] : [0.5, 4];
  const contestants: Contestant<number>[] = [];
  const read = new Map<RendererName, string>();
  for (const [name, child] of children) {
    await child.call('open', name, kind);
    read.set(name, JSON.stringify((await child.call('all')).map(asRead)));
    await child.call('run', seconds);
    contestants.push({ name, measure: () => child.call('run', seconds) });
  }
  if (new Set(read.values()).size > 1) throw new Error(`not all render the same ${kind}`);
  const samples = await context.rounds(
    contestants,
    (name, perSecond) => context.note(`${kind} ${name}: ${Math.round(perSecond)} renderings/s`),
    turns,
  );
  const figures: Record<string, number> = {};
  for (const [name, taken] of samples) figures[`${name} ${kind} renderings/s`] = median(taken);
  const ratios: Record<string, number> = {};
  for (const [name, ratio] of Object.entries(ratiosOver(ours, samples, (perSecond) => perSecond)))
    ratios[`${name}-${kind}`] = ratio;
  return { ratios, figures };
}

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** What a reader sees, however it was escaped; in the order of the names. */
const asRead = (rendered: Rendered): readonly (readonly [string, string])[] =>
  Object.entries(rendered)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([field, text]) => [field, text.replace(/&(?:#(x?)([0-9A-Fa-f]+)|(\w+));/g, decode)]);

const decode = (_: string, hex: string | undefined, code: string | undefined, name: string): string =>
  code === undefined
    ? (characters[name] ?? name)
    : String.fromCodePoint(Number.parseInt(code, hex ? 16 : 10));
