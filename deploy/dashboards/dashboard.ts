import {
  TooltipDisplayMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import {
  type Dashboard,
  DashboardBuilder,
  DatasourceVariableBuilder,
  RowBuilder,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries';

/** How Grafana writes the values of a panel. */
export type Unit = 'short' | 's' | 'reqps' | 'ops' | 'cps' | 'percentunit' | 'bytes';

export interface Chart {
  readonly title: string;
  readonly unit: Unit;
  /** What to think of it, where that is not plain. */
  readonly description?: string;
  /** PromQL, by the name of its lines; `{{label}}` stands for a label of theirs. */
  readonly lines: Readonly<Record<string, string>>;
}

/** One of the dashboards: what a domain's operators look at, from above. */
export interface Board {
  /** Its address in Grafana, after `tidings-`, and the name of its file. */
  readonly name: string;
  readonly title: string;
  readonly rows: Readonly<Record<string, readonly Chart[]>>;
}

/** Two beside each other: charts whose lines are many stay readable. */
const WIDTH = 12;
const HEIGHT = 8;
/** Grafana's variable, so that one file serves whatever the Prometheus is called. */
const DATASOURCE = { type: 'prometheus', uid: `\${datasource}` };

/** @returns what Grafana imports, in its classic form, which every version reads */
export function dashboardOf({ name, title, rows }: Board): Dashboard {
  const board = new DashboardBuilder(`tidings: ${title}`)
    .uid(`tidings-${name}`)
    .tags(['tidings'])
    .timezone('browser')
    .time({ from: 'now-3h', to: 'now' })
    .refresh('30s')
    .withVariable(new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'));
  let id = 0;
  function nextId(): number {
    id += 1;
    return id;
  }
  for (const [row, charts] of Object.entries(rows)) {
    board.withRow(new RowBuilder(row).id(nextId()));
    for (const chart of charts) board.withPanel(panelOf(chart, nextId()));
  }
  return board.build();
}

function panelOf({ title, unit, description, lines }: Chart, id: number): PanelBuilder {
  const panel = new PanelBuilder()
    .id(id)
    .title(title)
    .unit(unit)
    .min(0)
    .span(WIDTH)
    .height(HEIGHT)
    .legend(new VizLegendOptionsBuilder().showLegend(true))
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi))
    .datasource(DATASOURCE);
  if (description) panel.description(description);
  Object.entries(lines).forEach(([legend, expr], index) => {
    const refId = String.fromCodePoint('A'.codePointAt(0)! + index);
    panel.withTarget(
      new DataqueryBuilder().refId(refId).expr(expr).legendFormat(legend).datasource(DATASOURCE),
    );
  });
  return panel;
}

const WINDOW = '[$__rate_interval]';

/** Events a second of a counter, by these labels. */
export const rate = (counter: string, ...by: readonly string[]): string =>
  `${sumBy(by)}(rate(${counter}${WINDOW}))`;

/** A quantile of a histogram, by these labels. @param selector after the metric's name, like `{channel="push"}` */
export const quantile = (
  share: number,
  histogram: string,
  { by = [], selector = '' }: { readonly by?: readonly string[]; readonly selector?: string } = {},
): string =>
  `histogram_quantile(${share}, ${sumBy(['le', ...by])}(rate(${histogram}_bucket${selector}${WINDOW})))`;

/** The median and the slowest hundredth of a histogram. */
export const times = (histogram: string): Readonly<Record<string, string>> => ({
  p50: quantile(0.5, histogram),
  p99: quantile(0.99, histogram),
});

/** Of a gauge that every worker reports of the same thing. */
export const max = (gauge: string, ...by: readonly string[]): string =>
  by.length > 0 ? `max by (${by.join(', ')}) (${gauge})` : `max(${gauge})`;

const sumBy = (labels: readonly string[]): string =>
  labels.length > 0 ? `sum by (${labels.join(', ')}) ` : 'sum';
