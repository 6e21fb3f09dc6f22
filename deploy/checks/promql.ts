import { parser } from '@prometheus-io/lezer-promql';

/** What an expression asks Prometheus for. */
export interface Asked {
  /** Each place where it names a metric, with the labels by which it chooses there. */
  readonly selectors: readonly { readonly metric: string; readonly labels: readonly string[] }[];
  /** By which it groups or joins. */
  readonly groupedBy: readonly string[];
}

/** @throws Error with the place, where it is no PromQL */
export function readPromql(expression: string): Asked {
  const selectors: { metric: string; labels: string[] }[] = [];
  const groupedBy: string[] = [];
  parser.parse(expression).iterate({
    enter({ type, from, to, node }) {
      const text = expression.slice(from, to);
      if (type.isError) throw new Error(`not PromQL at ${from}: ${expression}`);
      if (type.name === 'VectorSelector') selectors.push({ metric: '', labels: [] });
      if (type.name === 'Identifier' && node.parent?.type.name === 'VectorSelector')
        selectors.at(-1)!.metric = text;
      if (type.name !== 'LabelName') return;
      if (node.parent?.type.name === 'GroupingLabels') groupedBy.push(text);
      else selectors.at(-1)!.labels.push(text);
    },
  });
  return { selectors, groupedBy };
}
