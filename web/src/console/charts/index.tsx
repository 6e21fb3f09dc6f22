import { Skeleton } from '@mantine/core';
import { Suspense } from 'react';
import { loadedLater } from '../../common/ui/loaded-later.js';
import type { TimeChartProps } from './time-chart.js';

export type { TimeChartProps, TimeSeries } from './time-chart.js';

const Chart = loadedLater(() => import('./time-chart.js'));

/** Figures by time; the code of charts is loaded when the first one is shown. */
export function TimeChart(props: TimeChartProps) {
  return (
    <Suspense fallback={<Skeleton height={props.height ?? 240} />}>
      <Chart {...props} />
    </Suspense>
  );
}
