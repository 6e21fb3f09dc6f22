import { Box } from '@mantine/core';
import { type ListState, usePages } from '../../common/ui/pages.js';
import { Empty, Failure } from '../../common/ui/states.js';
import type { ReaderPersonFragment, ReaderPostFragment } from '../../generated/graphql.js';
import { Stream } from '../feed/stream.js';
import { PostCard } from '../post/post-card.js';
import { PostSkeletons } from '../post/post-skeletons.js';
import { useReaderTexts } from '../texts.js';
import { FollowButton } from './follow.js';
import classes from './person.module.css';
import { PersonLine } from './person-line.js';
import { Followers, Following, PersonPosts } from './person-queries.js';

interface ListProps {
  readonly userId: string;
}

const keyOf = ({ id }: { readonly id: string }): string => id;

export function PostList({ userId }: ListProps) {
  const t = useReaderTexts();
  const pages = usePages(PersonPosts, { userId }, ({ user }) => user?.posts);
  return (
    <ListOf
      pages={pages}
      name={`posts of ${userId}`}
      label={t('person.tabs.posts')}
      empty={t('person.noPosts')}
      render={(post: ReaderPostFragment) => <PostCard post={post} />}
    />
  );
}

export function FollowerList({ userId }: ListProps) {
  const t = useReaderTexts();
  const pages = usePages(Followers, { userId }, ({ user }) => user?.followers);
  return (
    <ListOf
      pages={pages}
      name={`followers of ${userId}`}
      label={t('person.tabs.followers')}
      empty={t('person.noFollowers')}
      render={renderPerson}
    />
  );
}

export function FollowingList({ userId }: ListProps) {
  const t = useReaderTexts();
  const pages = usePages(Following, { userId }, ({ user }) => user?.following);
  return (
    <ListOf
      pages={pages}
      name={`followed by ${userId}`}
      label={t('person.tabs.following')}
      empty={t('person.noFollowing')}
      render={renderPerson}
    />
  );
}

export const renderPerson = (person: ReaderPersonFragment) => (
  <article className={classes.row} aria-label={person.displayName} tabIndex={-1}>
    <PersonLine person={person}>
      <FollowButton person={person} />
    </PersonLine>
  </article>
);

interface ListOfProps<T> {
  /** What `usePages` answered. */
  readonly pages: { readonly list: ListState<T> };
  readonly name: string;
  readonly label: string;
  readonly empty: string;
  readonly render: (row: T) => React.ReactNode;
}

/** The four states of a list: loading, failed, empty, and there. */
export function ListOf<T extends { readonly id: string }>({
  pages,
  name,
  label,
  empty,
  render,
}: ListOfProps<T>) {
  const { rows, isLoaded, error, retry, hasMore, loadMore, moreError } = pages.list;
  const failure = error ? (
    <Box p="md">
      <Failure error={error} retry={retry} />
    </Box>
  ) : null;
  if (!isLoaded) return failure ?? <PostSkeletons count={3} />;
  if (rows.length === 0 && !hasMore) return failure ?? <Empty title={empty} />;
  return (
    <>
      {failure}
      <Stream
        name={name}
        label={label}
        rows={rows}
        keyOf={keyOf}
        render={render}
        error={moreError}
        hasMore={hasMore}
        loadMore={loadMore}
      />
    </>
  );
}
