import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { AnalyticsCountsFragment } from '../../../generated/graphql.js';
import { useFormats } from './formats.js';
import { useTexts } from './texts.js';

interface FiguresProps {
  readonly found: AnalyticsCountsFragment;
  /** The span that it is compared with. */
  readonly other: AnalyticsCountsFragment | null;
}

const COUNTS = ['sent', 'delivered', 'opened', 'clicked', 'failed', 'suppressed'] as const;
const RATES = ['deliveryRate', 'openRate', 'clickRate'] as const;
const QUANTILES = ['p50', 'p95', 'p99'] as const;

/** The figures of a span; beside each what it was before. */
export function Figures({ found, other }: FiguresProps) {
  const t = useTexts();
  const { number, percent, duration } = useFormats();
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
      {COUNTS.map((name) => (
        <Figure
          key={name}
          label={t(`count.${name}`)}
          value={number(found[name])}
          before={other && number(other[name])}
          change={changeOf(found[name], other?.[name])}
        />
      ))}
      {RATES.map((name) => (
        <Figure
          key={name}
          label={t(`rate.${name}`)}
          value={percent(found[name])}
          before={other && percent(other[name])}
          change={pointsOf(found[name], other?.[name])}
          isPoints
        />
      ))}
      {QUANTILES.map((name) => (
        <Figure
          key={name}
          label={t(`latency.${name}`)}
          value={duration(found.latencyMs[name])}
          before={other && duration(other.latencyMs[name])}
          change={changeOf(found.latencyMs[name], other?.latencyMs[name])}
        />
      ))}
    </SimpleGrid>
  );
}

interface FigureProps {
  readonly label: string;
  readonly value: string;
  readonly before: string | null;
  /** A share, 0.1 for a tenth more; or a difference of shares. */
  readonly change: number | null;
  readonly isPoints?: boolean;
}

function Figure({ label, value, before, change, isPoints = false }: FigureProps) {
  const t = useTexts();
  const { signed } = useFormats();
  const text = change === null ? '' : signed(change * 100);
  return (
    <Paper withBorder p="sm">
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text size="xl" fw={650} className="numbers">
        {value}
      </Text>
      {before !== null && (
        <Text size="xs" className="numbers">
          {t('compare.was', { value: before })}
          {text && ` (${isPoints ? t('compare.points', { change: text }) : `${text} %`})`}
        </Text>
      )}
    </Paper>
  );
}

type Value = number | null | undefined;

const changeOf = (now: Value, before: Value): number | null =>
  typeof now === 'number' && typeof before === 'number' && before > 0 ? now / before - 1 : null;

const pointsOf = (now: Value, before: Value): number | null =>
  typeof now === 'number' && typeof before === 'number' ? now - before : null;
