import { Text } from '@mantine/core';
import { graphql } from '../../../common/graphql.js';
import { useAct } from '../../../common/ui/act.js';
import { ConfirmDialog } from '../../../common/ui/confirm-dialog.js';
import { useTexts } from './texts.js';

const rebuildDocument = graphql(/* GraphQL */ `
  mutation ProjectorRebuild($name: String!) {
    rebuildProjector(input: { name: $name }) {
      projector {
        id
        state
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const forgetDocument = graphql(/* GraphQL */ `
  mutation ProjectorForget($name: String!) {
    forgetProjector(input: { name: $name }) {
      deletedId
      userErrors {
        code
        message
        path
      }
    }
  }
`);

interface ProjectorDialogProps {
  readonly act: 'rebuild' | 'forget';
  readonly name: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Says what an act on a projector does, and asks. */
export function ProjectorDialog({ act, name, onClose, onDone }: ProjectorDialogProps) {
  const t = useTexts();
  const rebuild = useAct(rebuildDocument, { done: t('projector.rebuild.done', { name }) });
  const forget = useAct(forgetDocument, { done: t('projector.forget.done', { name }) });
  const { isRunning, faults } = act === 'rebuild' ? rebuild : forget;
  async function confirm(): Promise<void> {
    const { ok } = act === 'rebuild' ? await rebuild.act({ name }) : await forget.act({ name });
    if (!ok) return;
    onDone();
    onClose();
  }
  return (
    <ConfirmDialog
      title={t(`projector.${act}.title`, { name })}
      text={t(`projector.${act}.about`)}
      confirm={t(`projector.${act}.confirm`)}
      isDangerous={act === 'forget'}
      isRunning={isRunning}
      onClose={onClose}
      onConfirm={confirm}
    >
      {faults.map(({ message }) => (
        <Text key={message} size="sm" c="var(--mantine-color-error)" role="alert">
          {message}
        </Text>
      ))}
    </ConfirmDialog>
  );
}
