import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Ban, Pause, Play } from 'lucide-react';
import { useAct } from '../../../common/ui/act.js';
import { ConfirmDialog } from '../../../common/ui/confirm-dialog.js';
import type { CampaignAction } from '../../../generated/graphql.js';
import type { Campaign } from './campaign-page.js';
import { ControlCampaignDocument } from './documents.js';
import { isOver } from './progress.js';
import { useTexts } from './texts.js';

export function CampaignControls({ campaign }: { readonly campaign: Campaign }) {
  const t = useTexts();
  const [isAsking, { open, close }] = useDisclosure(false);
  const { act, isRunning } = useAct(ControlCampaignDocument, {
    done: ({ controlCampaign }) =>
      t('control.done', { status: t(`status.${controlCampaign.campaign?.status ?? 'PENDING'}`) }),
    // A look at its progress that began before may be answered after, with the status from before.
    refetch: ['ConsoleCampaign'],
  });
  if (isOver(campaign)) return null;
  const control = (action: CampaignAction) => act({ input: { batchId: campaign.id, action } });
  return (
    <>
      {campaign.status === 'PAUSED' ? (
        <Button
          loading={isRunning}
          leftSection={<Play size={16} aria-hidden />}
          onClick={() => control('RESUME')}
        >
          {t('control.resume')}
        </Button>
      ) : (
        <Button
          variant="default"
          loading={isRunning}
          leftSection={<Pause size={16} aria-hidden />}
          onClick={() => control('PAUSE')}
        >
          {t('control.pause')}
        </Button>
      )}
      <Button variant="default" leftSection={<Ban size={16} aria-hidden />} onClick={open}>
        {t('control.cancel')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('control.cancelTitle', { batch: campaign.batchId })}
          text={t('control.cancelHelp')}
          confirm={t('control.cancel')}
          keep={t('control.keep')}
          isDangerous
          isRunning={isRunning}
          onClose={close}
          onConfirm={async () => {
            const { ok } = await control('CANCEL');
            if (ok) close();
          }}
        />
      )}
    </>
  );
}
