import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useAct } from '../../../common/ui/act.js';
import { ConfirmDialog } from '../../../common/ui/confirm-dialog.js';
import { ActivateTemplateDocument, DeactivateTemplateDocument } from './documents.js';
import { useTexts } from './texts.js';

interface Shown {
  readonly templateId: string;
  readonly version: number;
  readonly isActive: boolean;
}

interface PublishButtonsProps {
  readonly version: Shown;
  /** The one that is in use. */
  readonly active: Shown | undefined;
  readonly size?: 'xs' | 'sm';
}

/** Puts a version into use, or takes it out. Going back to an older one is called so. */
export function PublishButtons({ version, active, size = 'sm' }: PublishButtonsProps) {
  const t = useTexts();
  const isBack = active !== undefined && active.version > version.version;
  const { act, isRunning } = useAct(ActivateTemplateDocument, {
    done: t('publish.done', { version: version.version }),
    refetch: 'active',
  });
  if (version.isActive) return <Deactivate version={version} size={size} />;
  return (
    <Button
      size={size}
      loading={isRunning}
      variant={size === 'xs' ? 'default' : 'filled'}
      onClick={() => act({ input: { templateId: version.templateId } })}
    >
      {isBack ? t('publish.back') : t('publish.do')}
    </Button>
  );
}

function Deactivate({ version, size }: { readonly version: Shown; readonly size: 'xs' | 'sm' }) {
  const t = useTexts();
  const [isAsking, { open, close }] = useDisclosure(false);
  const { act, isRunning } = useAct(DeactivateTemplateDocument, {
    done: t('publish.deactivated', { version: version.version }),
    refetch: 'active',
  });
  return (
    <>
      <Button size={size} variant="default" onClick={open}>
        {t('publish.deactivate')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('publish.deactivateTitle', { version: version.version })}
          text={t('publish.deactivateHelp')}
          confirm={t('publish.deactivate')}
          isDangerous
          isRunning={isRunning}
          onClose={close}
          onConfirm={async () => {
            const { ok } = await act({ input: { templateId: version.templateId } });
            if (ok) close();
          }}
        />
      )}
    </>
  );
}
