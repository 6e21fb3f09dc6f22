import { useQuery } from '@apollo/client/react';
import { Stack } from '@mantine/core';
import { graphql } from '../../../common/graphql.js';
import { useFilters } from '../../../common/ui/filters.js';
import { useNumbers } from '../../../common/ui/numbers.js';
import { usePages } from '../../../common/ui/pages.js';
import { Facts } from '../../facts.js';
import { Choice } from './choice.js';
import { PersonList } from './person-list.js';
import { useTexts } from './texts.js';

const followersDocument = graphql(/* GraphQL */ `
  query PersonFollowers($userId: ID!, $after: String) {
    user(userId: $userId) {
      id
      followers(first: 50, after: $after) {
        ...PersonPage
      }
    }
  }
`);

const followingDocument = graphql(/* GraphQL */ `
  query PersonFollowing($userId: ID!, $after: String) {
    user(userId: $userId) {
      id
      following(first: 50, after: $after) {
        ...PersonPage
      }
    }
  }
`);

const closeDocument = graphql(/* GraphQL */ `
  query PersonCloseFriends($userId: ID!, $after: String) {
    closeFriends(userId: $userId, first: 50, after: $after) {
      ...PersonPage
    }
  }
`);

const mutedDocument = graphql(/* GraphQL */ `
  query PersonMuted($userId: ID!, $after: String) {
    mutedUsers(userId: $userId, first: 50, after: $after) {
      ...PersonPage
    }
  }
`);

const blockedDocument = graphql(/* GraphQL */ `
  query PersonBlocked($userId: ID!, $after: String) {
    blockedUsers(userId: $userId, first: 50, after: $after) {
      ...PersonPage
    }
  }
`);

const LISTS = { followers: Followers, following: Following, close: Close, muted: Muted, blocked: Blocked };
type ListName = keyof typeof LISTS;
const names = Object.keys(LISTS) as ListName[];

interface OfPerson {
  readonly userId: string;
}

/** Whom they follow and who follows them, and whom they keep close or away. */
export function Follows({ userId }: OfPerson) {
  const t = useTexts();
  const [{ list }, set] = useFilters({ list: 'followers' });
  const chosen = names.find((name) => name === list) ?? 'followers';
  const List = LISTS[chosen];
  return (
    <Stack gap="sm">
      <Figures userId={userId} />
      <Choice
        label={t('follows.label')}
        value={chosen}
        onChange={(name) => set({ list: name })}
        options={names.map((value) => ({ value, label: t(`follows.${value}`) }))}
      />
      <List userId={userId} />
    </Stack>
  );
}

const figuresDocument = graphql(/* GraphQL */ `
  query PersonFigures($userId: ID!) {
    user(userId: $userId) {
      id
      followerCount
      followingCount
      isCelebrity
    }
    mutedKeywords(userId: $userId)
  }
`);

function Figures({ userId }: OfPerson) {
  const t = useTexts();
  const { number } = useNumbers();
  const { data } = useQuery(figuresDocument, { variables: { userId } });
  if (!data) return null;
  const { user, mutedKeywords } = data;
  return (
    <Facts
      entries={[
        ...(user
          ? ([
              [t('follows.followers'), number(user.followerCount)],
              [t('follows.following'), number(user.followingCount)],
              [t('follows.fanOut'), t(user.isCelebrity ? 'follows.pull' : 'follows.push')],
            ] as const)
          : []),
        [t('follows.keywords'), mutedKeywords?.join(', ') || t('noneSet')],
      ]}
    />
  );
}

function Followers({ userId }: OfPerson) {
  const t = useTexts();
  const pages = usePages(followersDocument, { userId }, ({ user }) => user?.followers);
  return <PersonList label={t('follows.followers')} pages={pages} empty={{ title: t('follows.none') }} />;
}

function Following({ userId }: OfPerson) {
  const t = useTexts();
  const pages = usePages(followingDocument, { userId }, ({ user }) => user?.following);
  return <PersonList label={t('follows.following')} pages={pages} empty={{ title: t('follows.none') }} />;
}

function Close({ userId }: OfPerson) {
  const t = useTexts();
  const pages = usePages(closeDocument, { userId }, ({ closeFriends }) => closeFriends);
  return <PersonList label={t('follows.close')} pages={pages} empty={{ title: t('follows.none') }} />;
}

function Muted({ userId }: OfPerson) {
  const t = useTexts();
  const pages = usePages(mutedDocument, { userId }, ({ mutedUsers }) => mutedUsers);
  return <PersonList label={t('follows.muted')} pages={pages} empty={{ title: t('follows.none') }} />;
}

function Blocked({ userId }: OfPerson) {
  const t = useTexts();
  const pages = usePages(blockedDocument, { userId }, ({ blockedUsers }) => blockedUsers);
  return <PersonList label={t('follows.blocked')} pages={pages} empty={{ title: t('follows.none') }} />;
}
