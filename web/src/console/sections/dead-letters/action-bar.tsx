import { Button, Checkbox, Group } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../../common/ui/confirm-dialog.js';
import { type Channel, useChannelName } from '../../channels.js';
import { type Selection, type Settlement, useSettle } from './settle.js';
import { useTexts } from './texts.js';

interface ActionBarProps {
  readonly chosen: readonly string[];
  readonly channel: Channel | null;
  readonly total: number;
  readonly isAllShown: boolean;
  readonly chooseShown: (isChosen: boolean) => void;
  readonly onDone: () => void;
}

interface Asked {
  readonly kind: Settlement;
  readonly selection: Selection;
  readonly count: number;
}

/** Retries or discards what is chosen, or all of what the list would show; asks first. */
export function ActionBar({ chosen, channel, total, isAllShown, chooseShown, onDone }: ActionBarProps) {
  const t = useTexts();
  const [asked, setAsked] = useState<Asked | null>(null);
  const isSome = chosen.length > 0;
  const ask = (kind: Settlement) =>
    setAsked(
      isSome
        ? { kind, selection: { deliveryIds: chosen }, count: chosen.length }
        : { kind, selection: { channel }, count: total },
    );
  return (
    <Group gap="xs">
      <Checkbox
        label={t('chooseShown')}
        checked={isSome && isAllShown}
        indeterminate={isSome && !isAllShown}
        onChange={(event) => chooseShown(event.currentTarget.checked)}
      />
      <Button onClick={() => ask('retry')}>
        {isSome ? t('retrySome', { count: chosen.length }) : t('retryAll')}
      </Button>
      <Button variant="default" onClick={() => ask('discard')}>
        {isSome ? t('discardSome', { count: chosen.length }) : t('discardAll')}
      </Button>
      {asked && (
        <Confirmation
          asked={asked}
          channel={channel}
          onClose={(isDone) => {
            setAsked(null);
            if (isDone) onDone();
          }}
        />
      )}
    </Group>
  );
}

interface ConfirmationProps {
  readonly asked: Asked;
  readonly channel: ActionBarProps['channel'];
  readonly onClose: (isDone: boolean) => void;
}

function Confirmation({ asked: { kind, selection, count }, channel, onClose }: ConfirmationProps) {
  const t = useTexts();
  const channelName = useChannelName();
  const { settle, isRunning } = useSettle();
  const ofAll = channel ? t('ask.ofChannel', { channel: channelName(channel) }) : t('ask.ofAll');
  const of = 'channel' in selection ? `${ofAll} ` : '';
  return (
    <ConfirmDialog
      title={t(`ask.${kind}`, { count })}
      text={`${of}${t(`ask.${kind}Help`)}`}
      confirm={t(`ask.${kind}Button`)}
      isDangerous={kind === 'discard'}
      isRunning={isRunning}
      onClose={() => onClose(false)}
      onConfirm={async () => onClose(await settle(kind, selection))}
    />
  );
}
