import { Button, Grid, Group, Paper, Stack } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { type UserFault, useAct } from '../../../common/ui/act.js';
import type { TemplateTextFragment } from '../../../generated/graphql.js';
import { SaveTemplateDocument } from './documents.js';
import { inputOf, keepDraftFor, type TemplateDraft } from './draft.js';
import { LivePreview } from './live-preview.js';
import { TextFields } from './text-fields.js';
import { useTexts } from './texts.js';
import { VariableFields } from './variable-fields.js';
import { pathOf } from './words.js';

interface EditorProps {
  readonly draft: TemplateDraft;
  readonly set: (changes: Partial<TemplateDraft>) => void;
  readonly isChanged: boolean;
  /** Forgets what was typed. */
  readonly discard: () => void;
  /** Above the fields: which type, channel and language it is. */
  readonly head?: (faults: readonly UserFault[]) => ReactNode;
  /** Asked before it is saved; false: it is not. */
  readonly mayStore?: () => Promise<boolean>;
}

/** The texts of a template beside what becomes of them. What is saved is a new version, whose page is shown then. */
export function TemplateEditor({ draft, set, isChanged, discard, head, mayStore }: EditorProps) {
  const t = useTexts();
  const navigate = useNavigate();
  const [previewFaults, setPreviewFaults] = useState<readonly UserFault[]>([]);
  const onFaults = useCallback((faults: readonly UserFault[]) => setPreviewFaults(faults), []);
  const saving = useAct(SaveTemplateDocument, {
    done: ({ saveTemplate: { template } }) => savedText(t, template),
    refetch: 'active',
  });
  const faults = [
    ...previewFaults,
    ...saving.faults.filter(({ message }) => !isAmong(previewFaults, message)),
  ];

  const [isAsking, setAsking] = useState(false);
  const isSaving = isAsking || saving.isRunning;
  async function mayBeSaved(): Promise<boolean> {
    if (!mayStore) return true;
    setAsking(true);
    return mayStore().finally(() => setAsking(false));
  }
  const newest = useRef(draft);
  useEffect(() => {
    newest.current = draft;
  });
  async function save(activate: boolean): Promise<void> {
    if (!(await mayBeSaved())) return;
    const outcome = await saving.act({ input: inputOf(draft, activate) });
    const template = outcome.ok ? outcome.data.saveTemplate.template : null;
    if (!template) return;
    // What was typed since goes on from what was saved, of the same type, channel and language.
    const { notificationType, channel, language } = draft;
    const since = { ...newest.current, notificationType, channel, language };
    if (JSON.stringify(since) !== JSON.stringify(draft))
      keepDraftFor(template.templateId, { draft: since, newest: template.version });
    discard();
    void navigate(pathOf(template.id));
  }

  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Paper withBorder p="md">
          <Stack>
            {head?.(faults)}
            <TextFields draft={draft} set={set} faults={faults} />
            <VariableFields draft={draft} set={set} faults={faults} />
            <Group justify="flex-end">
              {isChanged && (
                <Button variant="subtle" color="gray" disabled={isSaving} onClick={discard}>
                  {t('edit.discard')}
                </Button>
              )}
              <Button variant="default" disabled={!isChanged} loading={isSaving} onClick={() => save(false)}>
                {t('edit.save')}
              </Button>
              <Button disabled={!isChanged} loading={isSaving} onClick={() => save(true)}>
                {t('edit.publish')}
              </Button>
            </Group>
          </Stack>
        </Paper>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <LivePreview draft={draft} onFaults={onFaults} />
      </Grid.Col>
    </Grid>
  );
}

const isAmong = (faults: readonly UserFault[], message: string): boolean =>
  faults.some((fault) => fault.message === message);

function savedText(t: ReturnType<typeof useTexts>, template?: TemplateTextFragment | null): string {
  if (!template) return '';
  const { version, isActive } = template;
  return isActive ? t('edit.published', { version }) : t('edit.saved', { version });
}
