import { Anchor, Avatar, Group, Text } from '@mantine/core';
import { BadgeCheck } from 'lucide-react';
import { Link } from 'react-router';
import { graphql } from '../../../common/graphql.js';
import type { CopyAsProps } from '../../../common/ui/copy.js';
import { DataList } from '../../../common/ui/data-list.js';
import { useNumbers } from '../../../common/ui/numbers.js';
import type { ListState } from '../../../common/ui/pages.js';
import { Status } from '../../../common/ui/status.js';
import type { PersonRowFragment } from '../../../generated/graphql.js';
import { personPath } from '../../person-link.js';
import { useTexts } from './texts.js';

graphql(/* GraphQL */ `
  fragment PersonRow on User {
    id
    userId
    displayName
    avatarUrl
    isVerified
    isCelebrity
    followerCount
    followingCount
  }
`);

graphql(/* GraphQL */ `
  fragment PersonPage on UserConnection {
    edges {
      cursor
      node {
        ...PersonRow
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
`);

interface PersonListProps {
  readonly label: string;
  /** What `usePages` answered. */
  readonly pages: { readonly list: ListState<PersonRowFragment>; readonly asked: CopyAsProps };
  readonly empty: { readonly title: string; readonly help?: React.ReactNode };
}

export function PersonList({ label, pages, empty }: PersonListProps) {
  const t = useTexts();
  const { number } = useNumbers();
  return (
    <DataList
      asked={pages.asked}
      label={label}
      {...pages.list}
      keyOf={({ id }) => id}
      linkOf={({ userId }) => personPath(userId)}
      empty={empty}
      columns={[
        { key: 'name', header: t('person'), width: 'minmax(160px, 2fr)', render: (row) => <Name of={row} /> },
        {
          key: 'id',
          header: t('id'),
          width: 'minmax(120px, 1fr)',
          isWideOnly: true,
          render: ({ userId }) => <span title={userId}>{userId}</span>,
        },
        {
          key: 'celebrity',
          header: t('celebrity'),
          width: '130px',
          isWideOnly: true,
          render: ({ isCelebrity }) => isCelebrity && <Status tone="busy">{t('celebrity')}</Status>,
        },
        {
          key: 'followers',
          isNumber: true,
          header: t('followers'),
          width: '90px',
          render: ({ followerCount }) => <span className="numbers">{number(followerCount)}</span>,
        },
      ]}
    />
  );
}

function Name({ of: { userId, displayName, avatarUrl, isVerified } }: { readonly of: PersonRowFragment }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <PersonAvatar name={displayName} url={avatarUrl} size={26} />
      <Anchor component={Link} to={personPath(userId)} size="sm" truncate>
        {displayName}
      </Anchor>
      {isVerified && <VerifiedMark />}
    </Group>
  );
}

interface PersonAvatarProps {
  readonly name: string;
  readonly url: string | null | undefined;
  readonly size: number;
}

/** Pictures come from this origin alone; who has another one is shown by initials. */
export function PersonAvatar({ name, url, size }: PersonAvatarProps) {
  const isOwn = url?.startsWith(`${location.origin}/`) ?? false;
  return (
    <Avatar
      src={isOwn ? url : null}
      name={name}
      alt=""
      size={size}
      color="gray"
      imageProps={{ loading: 'lazy' }}
      styles={{ placeholder: { color: 'var(--mantine-color-text)' } }}
    />
  );
}

export function VerifiedMark() {
  const t = useTexts();
  return (
    <Text span c="var(--mantine-color-anchor)" lh={1} title={t('verified')}>
      <BadgeCheck size={18} role="img" aria-label={t('verified')} />
    </Text>
  );
}
