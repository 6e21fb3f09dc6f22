import { useQuery } from '@apollo/client/react';
import { Box, Group, Paper, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useLanguage } from '../../../common/i18n.js';
import { Loaded } from '../../../common/ui/states.js';
import type { ConsoleCampaignResultsQuery } from '../../../generated/graphql.js';
import { TimeChart } from '../../charts/index.js';
import { stepOf } from '../../charts/steps.js';
import type { Campaign } from './campaign-page.js';
import { CampaignResultsDocument } from './documents.js';
import { isOver } from './progress.js';
import { useTexts } from './texts.js';

type Results = NonNullable<ConsoleCampaignResultsQuery['notificationAnalytics']>;

const MINUTE = 60_000;
const DAY = 86_400_000;
/** For so long after its end are openings and clicks shown. */
const FOLLOWED = 7 * DAY;

export function CampaignResults({
  campaign,
  startedAt,
}: {
  readonly campaign: Campaign;
  readonly startedAt: string;
}) {
  const t = useTexts();
  const query = useQuery(CampaignResultsDocument, {
    variables: { batchId: campaign.id, ...useSpan(campaign, startedAt) },
  });
  const data = query.data ?? query.previousData;
  return (
    <Paper withBorder p="md" component="section" aria-label={t('results.title')}>
      <Stack>
        <Title order={2}>{t('results.title')}</Title>
        <Loaded query={{ ...query, data }}>
          {({ notificationAnalytics: results }) => results && <Found results={results} />}
        </Loaded>
      </Stack>
    </Paper>
  );
}

/** From its start until now; once it is over, a week longer at most. It moves on while the page is open. */
function useSpan(campaign: Campaign, startedAt: string) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), isOver(campaign) ? MINUTE : 10_000);
    return () => clearInterval(timer);
  }, [campaign]);
  const started = Math.floor(Date.parse(startedAt) / MINUTE) * MINUTE;
  const last = campaign.completedAt ? Date.parse(campaign.completedAt) + FOLLOWED : now;
  const to = Math.ceil(Math.max(Math.min(now, last, started + 90 * DAY), started + MINUTE) / MINUTE) * MINUTE;
  return {
    from: new Date(started).toISOString(),
    to: new Date(to).toISOString(),
    stepSeconds: stepOf(started, to),
  };
}

function Found({ results }: { readonly results: Results }) {
  const t = useTexts();
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
      <Funnel results={results} />
      <TimeChart
        label={t('results.byTime')}
        points={results.series}
        series={[
          { key: 'sent', label: t('results.sent'), color: 'blue.6' },
          { key: 'delivered', label: t('results.delivered'), color: 'teal.6' },
          { key: 'opened', label: t('results.opened'), color: 'grape.6' },
          { key: 'clicked', label: t('results.clicked'), color: 'orange.6' },
        ]}
      />
    </SimpleGrid>
  );
}

function Funnel({ results }: { readonly results: Results }) {
  const t = useTexts();
  const percents = new Intl.NumberFormat(useLanguage(), { style: 'percent', maximumFractionDigits: 1 });
  const percent = (rate?: number | null) => (typeof rate === 'number' ? percents.format(rate) : '–');
  const steps = [
    { name: 'sent', rate: null },
    { name: 'delivered', rate: results.deliveryRate },
    { name: 'opened', rate: results.openRate },
    { name: 'clicked', rate: results.clickRate },
  ] as const;
  const most = Math.max(...steps.map(({ name }) => results[name]), 1);
  const { latencyMs } = results;
  return (
    <Stack gap="sm">
      {steps.map(({ name, rate }) => (
        <Box key={name}>
          <Group justify="space-between" gap="xs">
            <Text size="sm" fw={600}>
              {t(`results.${name}`)}
            </Text>
            <Text size="sm" className="numbers">
              {t('number', { value: results[name] })}
              {rate !== null && ` · ${percent(rate)} ${t(`results.of.${name}`)}`}
            </Text>
          </Group>
          <Progress
            size="lg"
            value={(results[name] / most) * 100}
            aria-label={`${t(`results.${name}`)}: ${results[name]}`}
          />
        </Box>
      ))}
      <Text size="sm" c="dimmed" className="numbers">
        {t('results.beside', {
          failed: results.failed,
          suppressed: results.suppressed,
          unsubscribed: results.unsubscribed,
          bots: results.suspectedBots,
        })}
        {typeof latencyMs.p50 === 'number' &&
          ` ${t('results.latency', {
            p50: Math.round(latencyMs.p50) / 1_000,
            p95: Math.round(latencyMs.p95 ?? 0) / 1_000,
          })}`}
      </Text>
    </Stack>
  );
}
