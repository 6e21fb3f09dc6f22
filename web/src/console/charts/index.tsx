import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { TimeChartProps } from './time-chart.js';

export type { TimeChartProps, TimeSeries } from './time-chart.js';

const Chart = lazy(() => import('./time-chart.js'));

/** Figures by time; the code of charts is loaded when the first one is shown. */
export function TimeChart(props: TimeChartProps) {
  return (
    <Suspense fallback={<Skeleton height={props.height ?? 240} />}>
      <Chart {...props} />
    </Suspense>
  );
}
