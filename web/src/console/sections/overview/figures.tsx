import { Paper, SimpleGrid, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useNumbers } from '../../../common/ui/numbers.js';
import { Sparkline } from '../../../common/ui/sparkline.js';
import classes from './figures.module.css';
import { type Figure, type Sample, useOperations, waitingOf } from './live.js';
import { useTexts } from './texts.js';

/** Each figure, what it is counted in, and the list that it leads to, where there is one. */
const FIGURES: readonly (readonly [Figure, 'rate' | 'ms' | 'count', string?])[] = [
  ['deliveriesPerSecond', 'rate', '/notifications'],
  ['highPriorityP99Ms', 'ms', '/analytics'],
  ['waitingJobs', 'count', '/notifications'],
  ['eventsPerSecond', 'rate', '/events'],
  ['projectorLagMs', 'ms', '/events/projectors'],
  ['rateLimitedPerSecond', 'rate', '/limits/callers'],
  ['feedReadsPerSecond', 'rate', '/limits/callers'],
  ['feedReadP99Ms', 'ms'],
];

type Operations = Pick<ReturnType<typeof useOperations>, 'latest' | 'points'>;

export function Figures({ latest, points }: Operations) {
  const t = useTexts();
  const { number, duration } = useNumbers();
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing={{ base: 'xs', sm: 'md' }}>
      {FIGURES.map(([figure, unit, to]) => {
        const value = figureOf(figure, latest);
        const text = value === undefined ? '–' : unit === 'ms' ? duration(value) : number(value);
        const content = (
          <>
            <Text size="sm" c="dimmed" lh={1.3}>
              {t(`figure.${figure}`)}
            </Text>
            <Text className={`numbers ${classes.value}`}>
              {text}
              {unit === 'rate' && (
                <Text span c="dimmed" size="sm">
                  {' '}
                  / s
                </Text>
              )}
            </Text>
            <Sparkline
              label={t('figure.course', { figure: t(`figure.${figure}`) })}
              values={points.map((point) => point[figure])}
            />
          </>
        );
        const look = { withBorder: true, p: 'sm', className: classes.card } as const;
        return to ? (
          <Paper key={figure} component={Link} to={to} {...look}>
            {content}
          </Paper>
        ) : (
          <Paper key={figure} {...look}>
            {content}
          </Paper>
        );
      })}
    </SimpleGrid>
  );
}

function figureOf(figure: Figure, sample: Sample | undefined): number | undefined {
  if (!sample) return undefined;
  return figure === 'waitingJobs' ? waitingOf(sample.queues) : sample[figure];
}
