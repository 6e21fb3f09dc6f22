import { Anchor, Button, Group, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { useCommonTexts } from '../../../common/i18n.js';
import { ConfirmDialog } from '../../../common/ui/confirm-dialog.js';
import { type Column, DataList } from '../../../common/ui/data-list.js';
import { useFilters } from '../../../common/ui/filters.js';
import { Time } from '../../../common/ui/time.js';
import { TypedInput } from '../../../common/ui/typed-input.js';
import { useChannelName } from '../../channels.js';
import { channelOf, headlineOf } from './content-of.js';
import { type ReceivedMessage, useSandbox, useSandboxAct } from './sandbox.js';
import { useTexts } from './texts.js';

const linkOf = ({ id }: ReceivedMessage): string => `/sandbox/messages/${id}`;

/** What phones, mailboxes and browsers received, newest first. */
export function Messages({ url }: { readonly url: string }) {
  const t = useTexts();
  const common = useCommonTexts();
  const channelName = useChannelName();
  const [filters, set] = useFilters({ channel: '', search: '' });
  const asked = filters.channel ? `?channel=${encodeURIComponent(filters.channel)}` : '';
  const { data, error, refetch } = useSandbox<readonly ReceivedMessage[]>(`${url}/messages${asked}`);
  const rows = useMemo(
    () => newestFirst(data ?? [], filters.search.trim().toLowerCase()),
    [data, filters.search],
  );
  const columns: readonly Column<ReceivedMessage>[] = [
    {
      key: 'what',
      header: t('messages.what'),
      width: 'minmax(120px, 2fr)',
      render: (row) => (
        <Anchor component={Link} to={linkOf(row)} size="sm" lineClamp={1}>
          {headlineOf(row)}
        </Anchor>
      ),
    },
    {
      key: 'channel',
      header: t('messages.channel'),
      width: '150px',
      render: (row) => (
        <Text size="sm">
          {channelName(channelOf(row))}{' '}
          <Text span size="xs" c="dimmed">
            {row.provider}
          </Text>
        </Text>
      ),
    },
    {
      key: 'to',
      header: t('messages.to'),
      width: 'minmax(120px, 1fr)',
      isWideOnly: true,
      render: ({ to }) => (
        <Text size="sm" truncate title={to}>
          {to}
        </Text>
      ),
    },
    { key: 'at', header: t('messages.at'), width: '130px', render: ({ at }) => <Time at={at} relative /> },
  ];
  return (
    <Stack>
      <Group align="flex-end" justify="space-between">
        <Group align="flex-end" gap="sm">
          <TypedInput
            label={t('messages.search')}
            value={filters.search}
            onChange={(search) => set({ search })}
          />
          <Select
            label={t('messages.channel')}
            placeholder={common('filter.any')}
            clearable
            clearButtonProps={{ 'aria-label': common('filter.clear') }}
            w={140}
            data={[
              { value: 'push', label: channelName('PUSH') },
              { value: 'email', label: channelName('EMAIL') },
              { value: 'sms', label: channelName('SMS') },
            ]}
            value={filters.channel || null}
            onChange={(channel) => set({ channel })}
          />
        </Group>
        <Forget url={url} refetch={refetch} />
      </Group>
      <DataList
        label={t('messages.tab')}
        rows={rows}
        columns={columns}
        keyOf={({ id }) => String(id)}
        linkOf={linkOf}
        isLoaded={data !== undefined}
        error={error}
        retry={() => void refetch()}
        empty={{ title: t('messages.empty'), help: t('messages.emptyHelp') }}
      />
    </Stack>
  );
}

const newestFirst = (messages: readonly ReceivedMessage[], search: string): readonly ReceivedMessage[] =>
  messages
    .filter(
      (message) =>
        search === '' ||
        [message.to, message.notificationId, headlineOf(message)].some((text) =>
          text?.toLowerCase().includes(search),
        ),
    )
    .toReversed();

function Forget({ url, refetch }: { readonly url: string; readonly refetch: () => Promise<void> }) {
  const t = useTexts();
  const [isAsking, { open, close }] = useDisclosure(false);
  const { act, isRunning } = useSandboxAct();
  return (
    <>
      <Button variant="default" onClick={open}>
        {t('forget.do')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('forget.title')}
          text={t('forget.help')}
          confirm={t('forget.do')}
          isDangerous
          isRunning={isRunning}
          onClose={close}
          onConfirm={async () => {
            if (await act('DELETE', `${url}/messages`, undefined, t('forget.done'))) close();
            await refetch();
          }}
        />
      )}
    </>
  );
}
