import { Anchor, Group, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useNumbers } from '../../../common/ui/numbers.js';
import { type Channel, channels, useChannelName } from '../../channels.js';
import type { Sample } from './live.js';
import { useTexts } from './texts.js';

type Queue = Sample['queues'][number];

const PRIORITIES = ['high', 'medium', 'low', 'retry'] as const;
const OTHERS = [
  ['dlq', '/dead-letters'],
  ['release', '/notifications?status=SCHEDULED'],
  ['maintenance', undefined],
] as const;

/** How many jobs wait, by channel and priority; each number leads to what waits. */
export function Queues({ queues }: { readonly queues: readonly Queue[] }) {
  const t = useTexts();
  const channelName = useChannelName();
  const find = (name: string) => queues.find((queue) => queue.name === name);
  return (
    <Stack gap="xs" component="section" aria-labelledby="queues">
      <Title order={2} id="queues">
        {t('queues.title')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('queues.about')}
      </Text>
      <Table withTableBorder verticalSpacing="xs" horizontalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('queues.channel')}</Table.Th>
            {PRIORITIES.map((priority) => (
              <Table.Th key={priority} ta="right">
                {t(`priority.${priority}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {channels.map((channel) => (
            <Table.Tr key={channel}>
              <Table.Th scope="row" style={{ whiteSpace: 'nowrap' }}>
                {channelName(channel)}
              </Table.Th>
              {PRIORITIES.map((priority) => (
                <Table.Td key={priority} ta="right">
                  <Depth
                    queue={find(queueName(channel, priority))}
                    to={`/notifications?channel=${channel}&status=${priority === 'retry' ? 'RETRYING' : 'QUEUED'}`}
                    label={`${channelName(channel)}, ${t(`priority.${priority}`)}`}
                  />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group gap="lg">
        {OTHERS.map(([name, to]) => (
          <Text key={name} component="div" size="sm">
            <Text span c="dimmed">
              {t(`queues.${name}`)}
            </Text>{' '}
            <Depth queue={find(`notifications.${name}`)} to={to} label={t(`queues.${name}`)} />
          </Text>
        ))}
      </Group>
    </Stack>
  );
}

/** Low SMS wait in a queue that the workers of medium ones read second. */
const queueName = (channel: Channel, priority: string): string =>
  `notifications.${channel.toLowerCase()}.${channel === 'SMS' && priority === 'low' ? 'medium.low' : priority}`;

interface DepthProps {
  readonly queue: Queue | undefined;
  /** Absent: there is no list of what is in it. */
  readonly to?: string | undefined;
  readonly label: string;
}

function Depth({ queue, to, label }: DepthProps) {
  const t = useTexts();
  const { number, duration } = useNumbers();
  if (!queue) return '–';
  const { waiting, active, delayed, failed, oldestWaitingMs } = queue;
  const notes = [
    active > 0 && t('queues.active', { count: active }),
    delayed > 0 && t('queues.delayed', { count: delayed }),
    failed > 0 && t('queues.failed', { count: failed }),
    oldestWaitingMs !== null &&
      oldestWaitingMs > 1_000 &&
      t('queues.oldest', { age: duration(oldestWaitingMs) }),
  ].filter((note) => note !== false);
  return (
    <>
      {to ? (
        <Anchor component={Link} to={to} className="numbers" aria-label={`${label}: ${number(waiting)}`}>
          {number(waiting)}
        </Anchor>
      ) : (
        <span className="numbers">{number(waiting)}</span>
      )}
      {notes.length > 0 && (
        <Text size="xs" c="dimmed">
          {notes.join(', ')}
        </Text>
      )}
    </>
  );
}
