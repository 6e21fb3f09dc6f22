import { useQuery } from '@apollo/client/react';
import { Alert, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue, useSessionStorage } from '@mantine/hooks';
import { useEffect, useMemo } from 'react';
import type { UserFault } from '../../../common/ui/act.js';
import { Failure } from '../../../common/ui/states.js';
import { Preview } from '../../preview/index.js';
import { PreviewTemplateDocument } from './documents.js';
import { type DraftVariable, inputOf, type TemplateDraft, typed } from './draft.js';
import { useTexts } from './texts.js';

interface LivePreviewProps {
  readonly draft: TemplateDraft;
  readonly onFaults: (faults: readonly UserFault[]) => void;
}

const SAMPLES: Readonly<Record<string, string>> = {
  number: '3',
  boolean: 'true',
  list: '[{"title": "Mug", "price": 12.5}, {"title": "Pot", "price": 8}]',
  object: '{"title": "Mug"}',
};
const NONE: readonly UserFault[] = [];

const sampleOf = ({ name, type, default: byDefault }: DraftVariable): string =>
  byDefault || (SAMPLES[type] ?? name);

/** The message as its reader would get it, while it is typed, with values that may be changed. */
export function LivePreview({ draft, onFaults }: LivePreviewProps) {
  const t = useTexts();
  const [samples, setSamples] = useSessionStorage<Readonly<Record<string, string>>>({
    key: `tidings.samples.${draft.notificationType}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const input = useMemo(
    () => ({
      draft: { ...inputOf(draft, false), notificationType: draft.notificationType.trim() || 'DRAFT' },
      variables: Object.fromEntries(
        draft.variables
          .filter(({ name }) => name !== '')
          .map((variable) => [
            variable.name,
            typed(samples[variable.name] ?? sampleOf(variable), variable.type),
          ]),
      ),
    }),
    [draft, samples],
  );
  const [asked] = useDebouncedValue(input, 400);
  const query = useQuery(PreviewTemplateDocument, {
    variables: { input: asked },
    skip: asked.draft.body.trim() === '',
    fetchPolicy: 'network-only',
  });
  const shown = query.data ?? query.previousData;
  const faults = query.data?.previewTemplate?.userErrors;
  useEffect(() => {
    if (faults) onFaults(faults.length === 0 ? NONE : faults);
  }, [faults, onFaults]);
  const content = shown?.previewTemplate?.content;
  const failures = shown?.previewTemplate?.userErrors ?? NONE;
  return (
    <Paper withBorder p="md" component="section" aria-label={t('preview.title')}>
      <Stack gap="sm">
        <Title order={2}>{t('preview.title')}</Title>
        {draft.variables
          .filter(({ name }) => name !== '')
          .map((variable) => (
            <TextInput
              key={variable.name}
              size="xs"
              label={variable.name}
              value={samples[variable.name] ?? sampleOf(variable)}
              onChange={(event) => {
                const { value } = event.currentTarget;
                setSamples((before) => ({ ...before, [variable.name]: value }));
              }}
            />
          ))}
        {query.error && <Failure error={query.error} retry={() => void query.refetch()} />}
        <div aria-live="polite">
          {failures.length > 0 && (
            <Alert color="red" title={t('preview.refused')}>
              {failures.map(({ message }) => (
                <Text size="sm" key={message}>
                  {message}
                </Text>
              ))}
            </Alert>
          )}
        </div>
        {content ? (
          <Preview channel={draft.channel} content={content} />
        ) : (
          failures.length === 0 && (
            <Text size="sm" c="dimmed">
              {t('preview.nothing')}
            </Text>
          )
        )}
      </Stack>
    </Paper>
  );
}
