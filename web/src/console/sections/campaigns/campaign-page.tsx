import { useQuery } from '@apollo/client/react';
import { Alert, Anchor, Code, Grid, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { CopyAs } from '../../../common/ui/copy.js';
import { Page } from '../../../common/ui/page.js';
import { Empty, Loaded } from '../../../common/ui/states.js';
import { Time } from '../../../common/ui/time.js';
import type { ConsoleCampaignQuery } from '../../../generated/graphql.js';
import { CampaignControls } from './controls.js';
import { CampaignDocument, EstimateDocument } from './documents.js';
import { CampaignBar, CampaignStatus, isMoving, isOver } from './progress.js';
import { CampaignResults } from './results.js';
import { useTexts } from './texts.js';

export type Campaign = NonNullable<ConsoleCampaignQuery['campaign']>;

export function CampaignPage() {
  const t = useTexts();
  const { batchId = '' } = useParams();
  const query = useQuery(CampaignDocument, { variables: { batchId } });
  const campaign = query.data?.campaign;
  // What waits may be changed by somebody else; what is over stays as it is.
  const pollInterval = !campaign || isOver(campaign) ? 0 : isMoving(campaign) ? 1_000 : 5_000;
  useQuery(CampaignDocument, {
    variables: { batchId },
    pollInterval,
    skip: pollInterval === 0,
    fetchPolicy: 'network-only',
    nextFetchPolicy: 'network-only',
  });
  return (
    <Page
      title={campaign?.batchId ?? t('title')}
      about={
        <Anchor component={Link} to="/campaigns" size="sm">
          {t('campaign.back')}
        </Anchor>
      }
      actions={campaign && <CampaignControls campaign={campaign} />}
    >
      <Loaded query={query}>
        {({ campaign: found }) =>
          found ? <Content campaign={found} /> : <Empty title={t('campaign.notFound')} />
        }
      </Loaded>
    </Page>
  );
}

function Content({ campaign }: { readonly campaign: Campaign }) {
  const t = useTexts();
  return (
    <>
      {campaign.failure && (
        <Alert color="red" title={t('campaign.failed')}>
          {campaign.failure}
        </Alert>
      )}
      <Grid>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Progress campaign={campaign} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Facts campaign={campaign} />
        </Grid.Col>
      </Grid>
      {campaign.startedAt && <CampaignResults campaign={campaign} startedAt={campaign.startedAt} />}
      <Group>
        <CopyAs document={CampaignDocument} variables={{ batchId: campaign.batchId }} />
      </Group>
    </>
  );
}

function Progress({ campaign }: { readonly campaign: Campaign }) {
  const t = useTexts();
  const { filter, estimatedCount, queued, suppressed, ratePerSecond, rateRaised } = campaign;
  const estimate = useQuery(EstimateDocument, {
    variables: { filter },
    skip: typeof estimatedCount === 'number' || isOver(campaign),
  });
  const expected = estimatedCount ?? estimate.data?.estimateSegment.count ?? null;
  return (
    <Paper withBorder p="md" h="100%">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2}>{t('campaign.progress')}</Title>
          <CampaignStatus {...campaign} />
        </Group>
        <CampaignBar campaign={campaign} expected={expected} />
        <Group gap="xl">
          <Figure label={t('campaign.queued')}>{t('number', { value: queued })}</Figure>
          <Figure label={t('campaign.suppressed')}>{t('number', { value: suppressed })}</Figure>
          <Figure label={t('campaign.rate')}>
            {t('list.perSecond', { rate: ratePerSecond })}
            {rateRaised && (
              <Text span size="xs" c="dimmed" display="block">
                {t('campaign.raised')}
              </Text>
            )}
          </Figure>
        </Group>
      </Stack>
    </Paper>
  );
}

function Facts({ campaign }: { readonly campaign: Campaign }) {
  const t = useTexts();
  const { filter, templateId, producer, priority, createdAt, scheduleAt, startedAt, completedAt, variables } =
    campaign;
  return (
    <Paper withBorder p="md" h="100%">
      <Stack gap="sm">
        <Title order={2}>{t('campaign.what')}</Title>
        <Code block tabIndex={0} aria-label={t('new.filter')} style={{ whiteSpace: 'pre-wrap' }}>
          {filter}
        </Code>
        <Group gap="xl">
          <Figure label={t('new.template')}>{templateId}</Figure>
          <Figure label={t('list.producer')}>{producer}</Figure>
          <Figure label={t('new.priority')}>{t(`priority.${priority}`)}</Figure>
          <Figure label={t('list.created')}>
            <Time at={createdAt} />
          </Figure>
          {scheduleAt && !startedAt && (
            <Figure label={t('campaign.scheduled')}>
              <Time at={scheduleAt} />
            </Figure>
          )}
          {startedAt && (
            <Figure label={t('campaign.started')}>
              <Time at={startedAt} />
            </Figure>
          )}
          {completedAt && (
            <Figure label={t('campaign.completed')}>
              <Time at={completedAt} />
            </Figure>
          )}
        </Group>
        {Object.entries(variables).map(([name, value]) => (
          <Text size="sm" key={name} style={{ overflowWrap: 'anywhere' }}>
            <Text span c="dimmed" size="sm">
              {name}:{' '}
            </Text>
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </Text>
        ))}
      </Stack>
    </Paper>
  );
}

function Figure({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text component="div" size="sm" className="numbers" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </div>
  );
}
