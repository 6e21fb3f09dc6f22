import { useQuery } from '@apollo/client/react';
import { Alert, Badge, Box, Button, Group, Tabs, Text } from '@mantine/core';
import { BadgeCheck } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useParams } from 'react-router';
import { useSession } from '../../common/session.js';
import { useFilters } from '../../common/ui/filters.js';
import { Empty, Failure } from '../../common/ui/states.js';
import type { ReaderPersonPageQuery } from '../../generated/graphql.js';
import { signal } from '../feed/signals.js';
import { PostSkeletons } from '../post/post-skeletons.js';
import { Screen } from '../shell/screen.js';
import { useReaderTexts } from '../texts.js';
import { Avatar, colorOf } from './avatar.js';
import { Counts } from './counts.js';
import { FollowButton } from './follow.js';
import { useBlock } from './mute-block.js';
import classes from './person.module.css';
import { FollowerList, FollowingList, PostList } from './person-lists.js';
import { PersonMenu } from './person-menu.js';
import { Person } from './person-queries.js';

const LISTS = ['posts', 'following', 'followers'] as const;

export default function PersonPage() {
  const t = useReaderTexts();
  const { userId = '' } = useParams();
  const session = useSession();
  const { data, error, refetch } = useQuery(Person, { variables: { userId } });
  const person = data?.user as ReaderPersonPageQuery['user'] | undefined;
  const isOther = userId !== session?.userId;
  useEffect(() => {
    if (userId && isOther) signal({ kind: 'PROFILE_VISIT', userId });
  }, [userId, isOther]);
  return (
    <Screen title={person?.displayName ?? t('person.title')} hasBack>
      {error && (
        <Box p="md">
          <Failure error={error} retry={() => void refetch()} />
        </Box>
      )}
      {!data && !error && <PostSkeletons />}
      {data && !person && !error && <Empty title={t('person.gone')}>{t('person.goneHelp')}</Empty>}
      {person && <Profile key={person.id} person={person} isOther={isOther} />}
    </Screen>
  );
}

interface ProfileProps {
  readonly person: NonNullable<ReaderPersonPageQuery['user']>;
  readonly isOther: boolean;
}

function Profile({ person, isOther }: ProfileProps) {
  const t = useReaderTexts();
  const block = useBlock();
  const [filters, setFilters] = useFilters({ list: 'posts' });
  const list = LISTS.find((one) => one === filters.list) ?? 'posts';
  const color = colorOf(person.userId);
  return (
    <>
      <div
        className={classes.banner}
        style={{ background: `linear-gradient(120deg, ${color}, color-mix(in srgb, ${color} 45%, #0b7a6d))` }}
      />
      <div className={classes.top}>
        <Group justify="space-between" align="flex-end" wrap="nowrap">
          <span className={classes.picture}>
            <Avatar person={person} size={84} />
          </span>
          <Group gap="xs" pb={4}>
            {isOther ? (
              <>
                <PersonMenu person={person} />
                <FollowButton person={person} />
              </>
            ) : (
              <Button component={Link} to="/settings?section=profile" size="xs" radius="xl" variant="default">
                {t('person.edit')}
              </Button>
            )}
          </Group>
        </Group>
        <Group gap={6} mt={6}>
          <Text component="p" fw={700} fz="xl" lh={1.2} miw={0} style={{ overflowWrap: 'anywhere' }}>
            {person.displayName}
          </Text>
          {person.isVerified && (
            <BadgeCheck
              size={20}
              color="var(--mantine-color-brand-6)"
              role="img"
              aria-label={t('person.verified')}
            />
          )}
        </Group>
        <Group gap="xs" mb="xs">
          <Text c="dimmed">@{person.userId}</Text>
          {isOther && person.followsViewer && (
            <Badge variant="light" color="gray" radius="sm" tt="none" c="dimmed">
              {t('person.followsYou')}
            </Badge>
          )}
        </Group>
        <Counts person={person} />
        {person.viewerMutes && (
          <Alert mt="md" color="gray" variant="light" title={t('person.isMuted')}>
            {t('person.isMutedHelp')}
          </Alert>
        )}
        {person.viewerBlocks && (
          <Alert mt="md" color="red" variant="light" title={t('person.isBlocked')}>
            <Group justify="space-between">
              {t('person.isBlockedHelp')}
              <Button size="xs" variant="default" onClick={() => void block(person)}>
                {t('person.unblock')}
              </Button>
            </Group>
          </Alert>
        )}
      </div>
      <Tabs value={list} onChange={(value) => setFilters({ list: value })} keepMounted={false}>
        <Tabs.List grow>
          {LISTS.map((value) => (
            <Tabs.Tab key={value} value={value} className={classes.tab}>
              {t(`person.tabs.${value}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="posts">
          <PostList userId={person.userId} />
        </Tabs.Panel>
        <Tabs.Panel value="following">
          <FollowingList userId={person.userId} />
        </Tabs.Panel>
        <Tabs.Panel value="followers">
          <FollowerList userId={person.userId} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
