import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { missingIn, type ProductMetric, readProductMetrics } from './product-metrics.js';

const root = new URL('../../', import.meta.url);

/** Something that asks Prometheus, and what it shows of the answer. */
interface Question {
  readonly from: string;
  readonly expr: string;
  readonly text: string;
}

const filesOf = (folder: string, ending: string) =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith(ending))
    .map((name) => ({ from: name, text: readFileSync(new URL(`${folder}${name}`, root), 'utf8') }));

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}
const dashboards = filesOf('deploy/dashboards/', '.json').flatMap(({ from, text }): Question[] =>
  (JSON.parse(text) as { panels: Panel[] }).panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({
      from: `${from}: ${title}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
      text: legendFormat,
    })),
  ),
);

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
}
const alerts = filesOf('docs/alerts/', '.yml').flatMap(({ from, text }): Question[] =>
  (parse(text) as { groups: { rules: Alert[] }[] }).groups
    .flatMap(({ rules }) => rules)
    .map(({ alert, expr, annotations }) => ({
      from: `${from}: ${alert}`,
      expr,
      text: Object.values(annotations).join('\n').replaceAll('$labels.', ''),
    })),
);

interface ScaledObject {
  readonly spec: {
    readonly triggers: readonly { readonly name: string; readonly metadata: { query?: string } }[];
  };
}
const scalers = filesOf('deploy/kustomize/components/autoscaling/', '.yaml')
  .filter(({ from }) => from !== 'kustomization.yaml')
  .flatMap(({ from, text }): Question[] =>
    parseAllDocuments(text)
      .map((document): ScaledObject => document.toJS())
      .flatMap(({ spec }) => spec.triggers)
      .flatMap(({ name, metadata: { query } }) =>
        query ? [{ from: `${from}: ${name}`, expr: query, text: '' }] : [],
      ),
  );

let metrics: ReadonlyMap<string, ProductMetric>;
beforeAll(async () => {
  metrics = await readProductMetrics();
});

it.each([
  { what: 'dashboards', asked: dashboards, atLeast: 60 },
  { what: 'alerts', asked: alerts, atLeast: 15 },
  { what: 'scalers', asked: scalers, atLeast: 3 },
])(
  'all that the $what ask Prometheus for is a metric of an api or a worker, with its labels',
  ({ asked, atLeast }) => {
    expect(asked.length).toBeGreaterThanOrEqual(atLeast);
    const missing = asked.map(({ from, expr, text }) => ({
      from,
      missing: missingIn(expr, metrics, labelsShown(text)),
    }));
    expect(missing.filter(({ missing }) => missing.length > 0)).toEqual([]);
  },
);

it('notices a metric, a part of a histogram and a label that no process has', () => {
  expect(missingIn('sum(rate(feed_reads_total[5m]))', metrics)).toEqual(['metric feed_reads_total']);
  expect(missingIn('feed_read_seconds', metrics)).toEqual(['metric feed_read_seconds']);
  expect(missingIn('queue_jobs{name="a"}', metrics)).toEqual(['queue_jobs{name}']);
  expect(missingIn('max by (queue, kind) (queue_jobs)', metrics, ['priority'])).toEqual(['kind', 'priority']);
  expect(() => missingIn('sum(queue_jobs', metrics)).toThrow('not PromQL');
});

/** `{{label}}` of a legend or an annotation. */
const labelsShown = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*([a-z_]+)\s*\}\}/g)].map(([, label]) => label!);
