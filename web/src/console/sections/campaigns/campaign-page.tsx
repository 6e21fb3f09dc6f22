import { useQuery } from '@apollo/client/react';
import { Alert, Anchor, Code, Grid, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { CopyAs } from '../../../common/ui/copy.js';
import { Page } from '../../../common/ui/page.js';
import { Empty, Loaded } from '../../../common/ui/states.js';
import { Time } from '../../../common/ui/time.js';
import type { ConsoleCampaignQuery } from '../../../generated/graphql.js';
import { Facts } from '../../facts.js';
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
          <What campaign={campaign} />
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
        <Facts
          entries={[
            [t('campaign.queued'), t('number', { value: queued })],
            [t('campaign.suppressed'), t('number', { value: suppressed })],
            [
              t('campaign.rate'),
              <>
                {t('list.perSecond', { rate: ratePerSecond })}
                {rateRaised && (
                  <Text span size="xs" c="dimmed" display="block">
                    {t('campaign.raised')}
                  </Text>
                )}
              </>,
            ],
          ]}
        />
      </Stack>
    </Paper>
  );
}

function What({ campaign }: { readonly campaign: Campaign }) {
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
        <Facts
          entries={[
            [t('new.template'), templateId],
            [t('list.producer'), producer],
            [t('new.priority'), t(`priority.${priority}`)],
            [t('list.created'), <Time key="created" at={createdAt} />],
            [t('campaign.scheduled'), scheduleAt && !startedAt && <Time key="scheduled" at={scheduleAt} />],
            [t('campaign.started'), startedAt && <Time key="started" at={startedAt} />],
            [t('campaign.completed'), completedAt && <Time key="completed" at={completedAt} />],
            ...Object.entries(variables).map(
              ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
            ),
          ]}
        />
      </Stack>
    </Paper>
  );
}
