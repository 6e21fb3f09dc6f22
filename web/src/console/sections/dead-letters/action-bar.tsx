import { Button, Checkbox, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useCommonTexts } from '../../../common/i18n.js';
import { Dialog } from '../../../common/ui/dialog.js';
import { usePreviewTexts } from '../../preview/index.js';
import type { channels } from '../notifications/words.js';
import { type Selection, type Settlement, useSettle } from './settle.js';
import { useTexts } from './texts.js';

interface ActionBarProps {
  readonly chosen: readonly string[];
  readonly channel: (typeof channels)[number] | null;
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
  const c = useCommonTexts();
  const p = usePreviewTexts();
  const { settle, isRunning } = useSettle();
  const isAll = 'channel' in selection;
  return (
    <Dialog title={t(`ask.${kind}`, { count })} onClose={() => onClose(false)}>
      <Text size="sm">
        {isAll && `${channel ? t('ask.ofChannel', { channel: p(`channel.${channel}`) }) : t('ask.ofAll')} `}
        {t(`ask.${kind}Help`)}
      </Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={() => onClose(false)}>
          {c('act.cancel')}
        </Button>
        <Button
          {...(kind === 'discard' && { color: 'red' })}
          loading={isRunning}
          onClick={async () => onClose(await settle(kind, selection))}
        >
          {t(`ask.${kind}Button`)}
        </Button>
      </Group>
    </Dialog>
  );
}
