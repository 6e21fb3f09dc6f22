import { useQuery } from '@apollo/client/react';
import { Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { graphql } from '../../../common/graphql.js';
import { useNumbers } from '../../../common/ui/numbers.js';
import { Failure } from '../../../common/ui/states.js';
import classes from './figures.module.css';
import { useTexts } from './texts.js';

const latencyDocument = graphql(/* GraphQL */ `
  query OverviewLatency($from: DateTime!, $to: DateTime!) {
    notificationAnalytics(from: $from, to: $to) {
      sent
      delivered
      failed
      latencyMs {
        p50
        p95
        p99
      }
    }
  }
`);

const HOUR_MS = 3_600_000;

/** The lists that counts lead to. */
const COUNTED = {
  sent: '/notifications?time=hour',
  delivered: '/notifications?status=DELIVERED&time=hour',
  failed: '/notifications?status=RETRYING',
} as const;

/** What became of deliveries in the last hour, and how long they took. */
export function Latency() {
  const t = useTexts();
  const { number, duration } = useNumbers();
  const to = useMinute();
  const from = to - HOUR_MS;
  const { data, previousData, error, refetch } = useQuery(latencyDocument, {
    variables: { from: new Date(from).toISOString(), to: new Date(to).toISOString() },
  });
  const analytics = (data ?? previousData)?.notificationAnalytics;
  const counts = (['sent', 'delivered', 'failed'] as const).map((name) => {
    const value = analytics?.[name];
    return [name, typeof value === 'number' ? number(value) : '–', COUNTED[name]] as const;
  });
  const quantiles = (['p50', 'p95', 'p99'] as const).map((name) => {
    const value = analytics?.latencyMs[name];
    return [name, typeof value === 'number' ? duration(value) : '–', '/analytics?span=hour'] as const;
  });
  return (
    <Stack gap="xs" component="section" aria-labelledby="latency">
      <Title order={2} id="latency">
        {t('hour.title')}
      </Title>
      {error && <Failure error={error} retry={() => void refetch()} />}
      <SimpleGrid cols={{ base: 2, xs: 3, md: 6 }} spacing="xs">
        {[...counts, ...quantiles].map(([name, text, to]) => (
          <Paper key={name} component={Link} to={to} withBorder p="xs" className={classes.card}>
            <Text size="sm" c="dimmed">
              {t(`hour.${name}`)}
            </Text>
            <Text fw={600} className="numbers">
              {text}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
    </Stack>
  );
}

const MINUTE_MS = 60_000;
const nextMinute = (): number => Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;

/** The end of the minute that runs, so that all who ask within it ask the same. */
function useMinute(): number {
  const [minute, setMinute] = useState(nextMinute);
  useEffect(() => {
    const timer = setInterval(() => setMinute(nextMinute()), 5_000);
    return () => clearInterval(timer);
  }, []);
  return minute;
}
