import { useQuery } from '@apollo/client/react';
import { Anchor, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { CircleCheck } from 'lucide-react';
import { Link } from 'react-router';
import { Loaded, Loading } from '../../../common/ui/states.js';
import { Status } from '../../../common/ui/status.js';
import { Time } from '../../../common/ui/time.js';
import type { NotificationBacklogQuery } from '../../../generated/graphql.js';
import { useChannelName } from '../../channels.js';
import { backlogQuery } from './documents.js';
import { useTexts } from './texts.js';
import { pathOfNotification, type Tone } from './words.js';

type Entry = NonNullable<NotificationBacklogQuery['notificationBacklog']>[number];

const POLL_MS = 5_000;

const TONES: Readonly<Record<Entry['state'], Tone>> = {
  DEAD: 'bad',
  RETRYING: 'waits',
  DEFERRED: 'waits',
  SCHEDULED: 'over',
  WAITING: 'busy',
};

/** What is stuck and why, before anybody has to search for it. */
export function Backlog() {
  const t = useTexts();
  const query = useQuery(backlogQuery, { pollInterval: POLL_MS });
  return (
    <Stack component="section" gap="xs" aria-labelledby="backlog">
      <Title order={2} id="backlog">
        {t('backlog.title')}
      </Title>
      <Loaded query={query} loading={<Loading rows={2} />}>
        {({ notificationBacklog }) => {
          // What its producer has scheduled is not stuck: it stands last.
          const entries = (notificationBacklog ?? []).toSorted(
            (a, b) => Number(a.state === 'SCHEDULED') - Number(b.state === 'SCHEDULED'),
          );
          return entries.length === 0 ? (
            <Group gap="xs">
              <CircleCheck size={18} aria-hidden />
              <Text size="sm">{t('backlog.nothing')}</Text>
            </Group>
          ) : (
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} spacing="sm">
              {entries.map((entry) => (
                <EntryCard key={`${entry.channel}/${entry.state}/${entry.cause}`} entry={entry} />
              ))}
            </SimpleGrid>
          );
        }}
      </Loaded>
    </Stack>
  );
}

function EntryCard({ entry }: { readonly entry: Entry }) {
  const t = useTexts();
  const channelName = useChannelName();
  const { state, channel, cause, count, countIsEstimate, since, oldest } = entry;
  return (
    <Paper withBorder p="sm">
      <Stack gap={4}>
        <Group justify="space-between" wrap="nowrap">
          <Status tone={TONES[state]}>{t(`backlog.state.${state}`)}</Status>
          <Text size="sm" fw={600}>
            {channelName(channel)}
          </Text>
        </Group>
        <Anchor component={Link} to={listOf(entry)} fw={700} size="xl" className="numbers">
          {countIsEstimate ? '≈ ' : ''}
          {t('backlog.count', { count })}
        </Anchor>
        <Text size="sm">{causeText(t, state, cause)}</Text>
        <Text size="sm" c="dimmed">
          {t('backlog.oldest')}{' '}
          {oldest ? (
            <Anchor
              component={Link}
              size="sm"
              to={pathOfNotification(oldest.request?.id ?? oldest.notificationId, oldest.deliveryId)}
            >
              <Time at={since} relative />
            </Anchor>
          ) : (
            <Time at={since} relative />
          )}
        </Text>
      </Stack>
    </Paper>
  );
}

const STATUS_OF = { RETRYING: 'RETRYING', DEFERRED: 'SCHEDULED', SCHEDULED: 'SCHEDULED', WAITING: 'QUEUED' };

/** What waits for a digest is left out by itself: the digest is what is sent. */
function listOf({ state, channel, cause }: Entry): string {
  if (state === 'DEAD') return `/dead-letters?channel=${channel}`;
  const status = cause === 'DIGESTED' ? 'SUPPRESSED' : STATUS_OF[state];
  return `/notifications?status=${status}&channel=${channel}`;
}

function causeText(t: ReturnType<typeof useTexts>, state: Entry['state'], cause: string | null | undefined) {
  if (!cause) return t(`backlog.because.${state as 'WAITING'}`);
  return t.known(`cause.${cause}`) ?? cause;
}
