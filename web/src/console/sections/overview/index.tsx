import { Alert, Grid, Stack } from '@mantine/core';
import { CopyAs } from '../../../common/ui/copy.js';
import { Page } from '../../../common/ui/page.js';
import { Failure, Loading } from '../../../common/ui/states.js';
import { Alerts } from './alerts.js';
import { Figures } from './figures.js';
import { Latency } from './latency.js';
import { liveDocument, useOperations } from './live.js';
import { Queues } from './queues.js';
import { useTexts } from './texts.js';

export default function OverviewSection() {
  const t = useTexts();
  const { latest, points, error } = useOperations();
  return (
    <Page
      title={t('title')}
      about={latest ? t('about', { count: latest.processes }) : t('connecting')}
      actions={<CopyAs document={liveDocument} />}
    >
      {error && <Failure error={error} />}
      {latest?.isComplete === false && <Alert color="yellow">{t('incomplete')}</Alert>}
      <Figures latest={latest} points={points} />
      <Latency />
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, lg: 6 }}>
          {latest ? <Queues queues={latest.queues} /> : <Loading />}
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <Stack>
            <Alerts />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}
