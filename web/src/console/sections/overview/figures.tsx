import { Paper, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useNumbers } from '../../../common/ui/numbers.js';
import { Sparkline } from '../../../common/ui/sparkline.js';
import classes from './figures.module.css';
import { type Figure, type Sample, useOperations, waitingOf } from './live.js';
import { useTexts } from './texts.js';

/** Outside of the console. */
const GUIDE = '/docs';

/** Each figure, what it is counted in, and where it leads: to its list, or where there is none to the guide that explains it. */
const FIGURES: readonly (readonly [Figure, 'rate' | 'ms' | 'count', string])[] = [
  ['deliveriesPerSecond', 'rate', '/notifications?time=hour'],
  ['highPriorityP99Ms', 'ms', '/analytics?span=hour&priority=HIGH'],
  ['waitingJobs', 'count', '/notifications?status=QUEUED'],
  ['eventsPerSecond', 'rate', '/events'],
  ['projectorLagMs', 'ms', '/events/projectors'],
  ['rateLimitedPerSecond', 'rate', '/limits/callers'],
  ['feedReadsPerSecond', 'rate', `${GUIDE}/feed/read`],
  ['feedReadP99Ms', 'ms', `${GUIDE}/feed/read#what-it-costs`],
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
        return (
          <Card key={figure} to={to}>
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
          </Card>
        );
      })}
    </SimpleGrid>
  );
}

function Card({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  const look = { withBorder: true, p: 'sm', className: classes.card!, children } as const;
  return to.startsWith(GUIDE) ? (
    <Paper component="a" href={to} {...look} />
  ) : (
    <Paper component={Link} to={to} {...look} />
  );
}

function figureOf(figure: Figure, sample: Sample | undefined): number | undefined {
  if (!sample) return undefined;
  return figure === 'waitingJobs' ? waitingOf(sample.queues) : sample[figure];
}
