import { Alert, Paper, Select, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Empty } from '../../../../common/ui/states.js';
import { Status } from '../../../../common/ui/status.js';
import { Time } from '../../../../common/ui/time.js';
import type { ConsoleCampaignDryRunMutation } from '../../../../generated/graphql.js';
import { Preview } from '../../../preview/index.js';
import { useTexts } from '../texts.js';

export type DryRun = NonNullable<ConsoleCampaignDryRunMutation['sendBatch']['dryRun']>;

/** What would be sent: to how many, how fast, and what some of them would get. */
export function DryRunResult({ dryRun }: { readonly dryRun: DryRun }) {
  const t = useTexts();
  const [chosen, setChosen] = useState<string | null>(null);
  const { estimatedUsers, ratePerSecond, rateRaised, samples } = dryRun;
  const sample = samples.find(({ userId }) => userId === chosen) ?? samples[0];
  return (
    <Paper withBorder p="md" component="section" aria-label={t('dryRun.title')}>
      <Stack gap="sm">
        <Title order={2}>{t('dryRun.title')}</Title>
        <Text size="sm" className="numbers">
          {t('dryRun.users', { count: estimatedUsers })}{' '}
          {t('dryRun.takes', { rate: ratePerSecond, duration: useDuration(estimatedUsers / ratePerSecond) })}
        </Text>
        {rateRaised && <Alert color="yellow">{t('dryRun.raised')}</Alert>}
        {!sample && <Empty title={t('dryRun.nobody')} />}
        {sample && (
          <>
            <Select
              label={t('dryRun.sample')}
              allowDeselect={false}
              data={samples.map(({ userId }) => userId)}
              value={sample.userId}
              onChange={setChosen}
            />
            {sample.suppression && (
              <div>
                <Status tone="waits">{t(`suppression.${sample.suppression}`)}</Status>
              </div>
            )}
            {sample.dueAt && (
              <Text size="sm">
                {t('dryRun.deferred')} <Time at={sample.dueAt} />
              </Text>
            )}
            {sample.content ? (
              <Preview channel={sample.channel} content={sample.content} />
            ) : (
              <Text size="sm">{t('dryRun.noText')}</Text>
            )}
          </>
        )}
      </Stack>
    </Paper>
  );
}

function useDuration(seconds: number): string {
  const t = useTexts();
  if (seconds < 90) return t('duration.seconds', { count: Math.max(1, Math.ceil(seconds)) });
  if (seconds < 5_400) return t('duration.minutes', { count: Math.ceil(seconds / 60) });
  return t('duration.hours', { count: Math.ceil(seconds / 3_600) });
}
