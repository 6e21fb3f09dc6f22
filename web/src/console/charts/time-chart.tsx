import '@mantine/charts/styles.css';
import { LineChart } from '@mantine/charts';
import { localeOf, useLanguage } from '../../common/i18n.js';
import { formatDuration } from '../../common/ui/numbers.js';

export interface TimeSeries {
  readonly key: string;
  readonly label: string;
  readonly color: string;
  /** Drawn with gaps: what it is compared with. */
  readonly isDashed?: boolean;
}

export interface TimeChartProps {
  /** What it shows, for those who cannot see it. */
  readonly label: string;
  /** `at` is an ISO time; everything else a figure by its series' key. */
  readonly points: readonly (Readonly<Record<string, number | string | null>> & { readonly at: string })[];
  readonly series: readonly TimeSeries[];
  readonly height?: number;
  /** The figures are milliseconds, written in the unit that makes them short. */
  readonly isDuration?: boolean;
}

export default function TimeChart({
  label,
  points,
  series,
  height = 240,
  isDuration = false,
}: TimeChartProps) {
  const language = useLanguage();
  const first = points[0]?.at;
  const last = points.at(-1)?.at;
  const isLong = first && last && Date.parse(last) - Date.parse(first) > 36 * 3_600_000;
  const axis = new Intl.DateTimeFormat(
    localeOf(language),
    isLong ? { day: 'numeric', month: 'short' } : { timeStyle: 'short' },
  );
  const whole = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'short' });
  const numbers = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
  return (
    <figure aria-label={label} style={{ margin: 0 }}>
      <LineChart
        h={height}
        data={[...points]}
        dataKey="at"
        series={series.map(({ key, label: name, color, isDashed }) => ({
          name: key,
          label: name,
          color,
          ...(isDashed && { strokeDasharray: '4 4' }),
        }))}
        curveType="monotone"
        dotProps={{ r: 1.5 }}
        withLegend={series.length > 1}
        // In the order of the series, and not of the alphabet.
        legendProps={{ itemSorter: null }}
        strokeWidth={2}
        valueFormatter={(value) => (isDuration ? formatDuration(value, language) : numbers.format(value))}
        lineChartProps={{ accessibilityLayer: false }}
        xAxisProps={{ tickFormatter: (at: string) => axis.format(new Date(at)), minTickGap: 40 }}
        yAxisProps={{ width: isDuration ? 76 : 56 }}
        tooltipProps={{ labelFormatter: (at) => (at ? whole.format(new Date(String(at))) : '') }}
        tooltipAnimationDuration={0}
      />
    </figure>
  );
}
