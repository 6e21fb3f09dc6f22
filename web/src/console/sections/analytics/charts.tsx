import { Paper, SimpleGrid, Stack, Title } from '@mantine/core';
import { Empty } from '../../../common/ui/states.js';
import type { ConsoleAnalyticsQuery } from '../../../generated/graphql.js';
import { TimeChart } from '../../charts/index.js';
import { useTexts } from './texts.js';

type Found = NonNullable<ConsoleAnalyticsQuery['notificationAnalytics']>;

interface ChartsProps {
  readonly found: Found;
  readonly other: Found | null;
}

/** Counts and latency by time; the span before lies under them, point by point. */
export function Charts({ found, other }: ChartsProps) {
  const t = useTexts();
  const points = found.series.map((point, index) => {
    const before = other?.series[index];
    return {
      ...point,
      p99: point.p99LatencyMs ?? null,
      ...(before && {
        sentBefore: before.sent,
        deliveredBefore: before.delivered,
        p99Before: before.p99LatencyMs ?? null,
      }),
    };
  });
  const dashed = (key: string, of: string, color: string) =>
    other ? [{ key, label: t('compare.series', { of }), color, isDashed: true }] : [];
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Paper withBorder p="md">
        <Stack gap="sm">
          <Title order={2}>{t('chart.counts')}</Title>
          <TimeChart
            label={t('chart.counts')}
            points={points}
            series={[
              { key: 'sent', label: t('count.sent'), color: 'blue.6' },
              { key: 'delivered', label: t('count.delivered'), color: 'teal.6' },
              { key: 'opened', label: t('count.opened'), color: 'grape.6' },
              { key: 'clicked', label: t('count.clicked'), color: 'orange.6' },
              { key: 'failed', label: t('count.failed'), color: 'red.6' },
              ...dashed('sentBefore', t('count.sent'), 'blue.4'),
              ...dashed('deliveredBefore', t('count.delivered'), 'teal.4'),
            ]}
          />
        </Stack>
      </Paper>
      <Paper withBorder p="md">
        <Stack gap="sm">
          <Title order={2}>{t('chart.latency')}</Title>
          {points.some(({ p99, p99Before }) => (p99 ?? p99Before ?? null) !== null) ? (
            <TimeChart
              label={t('chart.latency')}
              points={points}
              isDuration
              series={[
                { key: 'p99', label: t('latency.p99'), color: 'teal.6' },
                ...dashed('p99Before', t('latency.p99'), 'teal.4'),
              ]}
            />
          ) : (
            <Empty title={t('chart.noLatency')}>{t('chart.noLatencyHelp')}</Empty>
          )}
        </Stack>
      </Paper>
    </SimpleGrid>
  );
}
