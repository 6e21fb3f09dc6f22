import type { ApolloCache } from '@apollo/client';
import { Button } from '@mantine/core';
import { client } from '../../common/client.js';
import { graphql } from '../../common/graphql.js';
import { useSession } from '../../common/session.js';
import type { ReaderPersonFragment } from '../../generated/graphql.js';
import { useAtOnce } from '../at-once.js';
import { postsOf } from '../feed/cached-feeds.js';
import { dropPosts, feedChanged } from '../feed/live-feed.js';
import { useReaderTexts } from '../texts.js';

const Follow = graphql(/* GraphQL */ `
  mutation ReaderFollow($userId: ID!) {
    followUser(input: { userId: $userId }) {
      user {
        id
        viewerFollows
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const Unfollow = graphql(/* GraphQL */ `
  mutation ReaderUnfollow($userId: ID!) {
    unfollowUser(input: { userId: $userId }) {
      user {
        id
        viewerFollows
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

type Followed = Pick<ReaderPersonFragment, 'id' | 'userId' | 'viewerFollows'>;

/** Follows a person, or stops; their button and their number of followers change at once, one's own follows and feed once it is done. */
export function useFollow(): (person: Followed) => Promise<boolean> {
  const atOnce = useAtOnce();
  return async ({ id, userId, viewerFollows }) => {
    const user = { __typename: 'User' as const, id, viewerFollows: !viewerFollows };
    const update = (cache: ApolloCache) => counted(cache, id, viewerFollows ? -1 : 1);
    const isDone = viewerFollows
      ? await atOnce({
          mutation: Unfollow,
          variables: { userId },
          inOrder: id,
          expected: { unfollowUser: { __typename: 'UnfollowUserPayload', user, userErrors: [] } },
          update,
        })
      : await atOnce({
          mutation: Follow,
          variables: { userId },
          inOrder: id,
          expected: { followUser: { __typename: 'FollowUserPayload', user, userErrors: [] } },
          update,
        });
    if (!isDone) return false;
    if (viewerFollows) dropPosts(postsOf(id));
    feedChanged();
    readOwnFollows();
    return true;
  };
}

/** Whom one follows, and how many they are, stands beside the feed. */
export function readOwnFollows(): void {
  for (const query of client.getObservableQueries('active'))
    if (query.queryName === 'ReaderMe') void query.refetch().catch(() => undefined);
}

function counted(cache: ApolloCache, id: string, by: number): void {
  cache.modify({ id: `User:${id}`, fields: { followerCount: (count) => Math.max(0, Number(count) + by) } });
}

/** Nothing on one's own line, and on that of a person whom one has blocked. */
export function FollowButton({ person }: { readonly person: ReaderPersonFragment }) {
  const t = useReaderTexts();
  const follow = useFollow();
  const session = useSession();
  if (person.userId === session?.userId || person.viewerBlocks) return null;
  return (
    <Button
      size="xs"
      radius="xl"
      variant={person.viewerFollows ? 'default' : 'filled'}
      aria-label={t(person.viewerFollows ? 'person.unfollowLabel' : 'person.followName', {
        name: person.displayName,
      })}
      onClick={() => void follow(person)}
      style={{ flex: 'none' }}
    >
      {t(person.viewerFollows ? 'person.follows' : 'person.follow')}
    </Button>
  );
}
