import { Progress, Stack, Text } from '@mantine/core';
import { Status } from '../../../common/ui/status.js';
import type { CampaignProgressFragment } from '../../../generated/graphql.js';
import { useTexts } from './texts.js';

const TONES = {
  SCHEDULED: 'waits',
  PENDING: 'waits',
  RUNNING: 'busy',
  PAUSED: 'waits',
  COMPLETED: 'good',
  CANCELLED: 'over',
  FAILED: 'bad',
} as const;

export const isOver = ({ status }: Pick<CampaignProgressFragment, 'status'>): boolean =>
  status === 'COMPLETED' || status === 'CANCELLED' || status === 'FAILED';

/** Whether its figures change by themselves now: one that is paused, or is to begin later, waits. */
export const isMoving = ({ status }: Pick<CampaignProgressFragment, 'status'>): boolean =>
  status === 'RUNNING' || status === 'PENDING';

export function CampaignStatus({ status }: Pick<CampaignProgressFragment, 'status'>) {
  const t = useTexts();
  return <Status tone={TONES[status]}>{t(`status.${status}`)}</Status>;
}

/** How many are done, of how many where that is known. */
export function CampaignBar({
  campaign,
  expected = campaign.estimatedCount ?? null,
}: {
  readonly campaign: CampaignProgressFragment;
  readonly expected?: number | null;
}) {
  const t = useTexts();
  const { matched, status } = campaign;
  const of = status === 'COMPLETED' ? matched : Math.max(expected ?? 0, matched);
  const text =
    of > matched ? t('progress.of', { matched, expected: of }) : t('progress.done', { count: matched });
  const percent = of === 0 ? 0 : (matched / of) * 100;
  return (
    <Stack gap={2}>
      {(expected !== null || status === 'COMPLETED') && (
        <Progress
          value={percent}
          aria-label={text}
          size="sm"
          color={status === 'FAILED' ? 'red' : 'brand'}
          animated={status === 'RUNNING'}
        />
      )}
      <Text size="xs" className="numbers">
        {text}
      </Text>
    </Stack>
  );
}
