import { useQuery } from '@apollo/client/react';
import { Alert, Group, Paper, Select, Stack, Tabs, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useIsAdmin } from '../../../common/session.js';
import { Failure, Loading } from '../../../common/ui/states.js';
import type { ActiveTemplate } from '../../active-templates.js';
import { channels, useChannelName } from '../../channels.js';
import { Preview } from '../../preview/index.js';
import { previewQuery } from './documents.js';
import { TestSend } from './test-send.js';
import { useTexts } from './texts.js';

interface ChannelPreviewProps {
  /** Those of one type. */
  readonly templates: readonly ActiveTemplate[];
  readonly picked: ActiveTemplate;
  readonly variables: Readonly<Record<string, unknown>>;
}

const TYPING_MS = 250;

/** The message on each channel and in each language that there is a template for, while its variables are typed. */
export function ChannelPreview({ templates, picked, variables }: ChannelPreviewProps) {
  const t = useTexts();
  const channelName = useChannelName();
  const isAdmin = useIsAdmin();
  const [channel, setChannel] = useState<string>(picked.channel);
  const [language, setLanguage] = useState(picked.language);
  const ofChannel = templates.filter((template) => template.channel === channel);
  const shown = ofChannel.find((template) => template.language === language) ?? ofChannel[0] ?? picked;
  const languages = [...new Set(templates.map((template) => template.language))].sort();
  return (
    <Paper withBorder p="md" style={{ alignSelf: 'start' }}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-end">
          <Title order={2}>{t('preview.title')}</Title>
          <Select
            size="xs"
            w={110}
            allowDeselect={false}
            aria-label={t('preview.language')}
            data={languages}
            value={language}
            onChange={(next) => next && setLanguage(next)}
          />
        </Group>
        <Tabs value={shown.channel} onChange={(next) => next && setChannel(next)} keepMounted={false}>
          <Tabs.List mb="md">
            {channels
              .filter((one) => templates.some((template) => template.channel === one))
              .map((one) => (
                <Tabs.Tab key={one} value={one} px={{ base: 8, sm: 'md' }}>
                  {channelName(one)}
                </Tabs.Tab>
              ))}
          </Tabs.List>
          <Tabs.Panel value={shown.channel}>
            <Stack gap="md">
              {shown.language !== language && (
                <Text size="sm" c="dimmed">
                  {t('preview.otherLanguage', { wanted: language, shown: shown.language })}
                </Text>
              )}
              <Shown key={shown.templateId} template={shown} variables={variables} />
              {isAdmin && <TestSend template={shown} variables={variables} />}
            </Stack>
          </Tabs.Panel>
        </Tabs>
      </Stack>
    </Paper>
  );
}

interface ShownProps {
  readonly template: ActiveTemplate;
  readonly variables: ChannelPreviewProps['variables'];
}

function Shown({ template: { templateId, channel }, variables }: ShownProps) {
  const t = useTexts();
  const [settled] = useDebouncedValue(variables, TYPING_MS);
  const { data, previousData, error, refetch } = useQuery(previewQuery, {
    variables: { input: { templateId, variables: { ...settled } } },
    fetchPolicy: 'no-cache',
  });
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  const preview = (data ?? previousData)?.previewTemplate;
  if (!preview) return <Loading rows={3} />;
  if (preview.content) return <Preview channel={channel} content={preview.content} />;
  return (
    <Alert color="gray" title={t('preview.incomplete')}>
      {preview.userErrors.map(({ message }) => (
        <Text size="sm" key={message}>
          {message}
        </Text>
      ))}
    </Alert>
  );
}
