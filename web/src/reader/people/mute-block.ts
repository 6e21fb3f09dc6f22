import { notifications } from '@mantine/notifications';
import { client } from '../../common/client.js';
import { graphql } from '../../common/graphql.js';
import type { ReaderPersonFragment } from '../../generated/graphql.js';
import { useAtOnce } from '../at-once.js';
import { postsOf } from '../feed/cached-feeds.js';
import { dropPosts, feedChanged } from '../feed/live-feed.js';
import { useReaderTexts } from '../texts.js';
import { readOwnFollows } from './follow.js';

const Mute = graphql(/* GraphQL */ `
  mutation ReaderMute($userId: ID!) {
    muteUser(input: { userId: $userId }) {
      user {
        id
        viewerMutes
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const Unmute = graphql(/* GraphQL */ `
  mutation ReaderUnmute($userId: ID!) {
    unmuteUser(input: { userId: $userId }) {
      user {
        id
        viewerMutes
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const Block = graphql(/* GraphQL */ `
  mutation ReaderBlock($userId: ID!) {
    blockUser(input: { userId: $userId }) {
      user {
        id
        viewerBlocks
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

const Unblock = graphql(/* GraphQL */ `
  mutation ReaderUnblock($userId: ID!) {
    unblockUser(input: { userId: $userId }) {
      user {
        id
        viewerBlocks
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

type Person = Pick<
  ReaderPersonFragment,
  'id' | 'userId' | 'displayName' | 'viewerMutes' | 'viewerBlocks' | 'viewerFollows'
>;

/** Mutes a person, or stops; what they wrote leaves the feeds at once. */
export function useMute(): (person: Person) => Promise<void> {
  const atOnce = useAtOnce();
  const t = useReaderTexts();
  return async ({ id, userId, displayName: name, viewerMutes }) => {
    const user = { __typename: 'User' as const, id, viewerMutes: !viewerMutes };
    const isDone = viewerMutes
      ? await atOnce({
          mutation: Unmute,
          variables: { userId },
          inOrder: id,
          expected: { unmuteUser: { __typename: 'UnmuteUserPayload', user, userErrors: [] } },
        })
      : await atOnce({
          mutation: Mute,
          variables: { userId },
          inOrder: id,
          expected: { muteUser: { __typename: 'MuteUserPayload', user, userErrors: [] } },
        });
    if (!isDone) return;
    if (!viewerMutes) dropPosts(postsOf(id, { alsoShared: true }));
    feedChanged();
    listsChanged('mutedUsers');
    notifications.show({
      message: t(viewerMutes ? 'person.unmuted' : 'person.muted', { name }),
      color: 'teal',
    });
  };
}

/** Blocks a person, or lifts the block. */
export function useBlock(): (person: Person) => Promise<void> {
  const atOnce = useAtOnce();
  const t = useReaderTexts();
  return async ({ id, userId, displayName: name, viewerBlocks, viewerFollows }) => {
    const user = {
      __typename: 'User' as const,
      id,
      viewerBlocks: !viewerBlocks,
      viewerFollows: viewerBlocks && viewerFollows,
    };
    const isDone = viewerBlocks
      ? await atOnce({
          mutation: Unblock,
          variables: { userId },
          inOrder: id,
          expected: { unblockUser: { __typename: 'UnblockUserPayload', user, userErrors: [] } },
        })
      : await atOnce({
          mutation: Block,
          variables: { userId },
          inOrder: id,
          expected: { blockUser: { __typename: 'BlockUserPayload', user, userErrors: [] } },
        });
    if (!isDone) return;
    if (!viewerBlocks) dropPosts(postsOf(id, { alsoShared: true }));
    feedChanged();
    listsChanged('blockedUsers');
    readAgain(id);
    if (viewerFollows) readOwnFollows();
    notifications.show({
      message: t(viewerBlocks ? 'person.unblocked' : 'person.blocked', { name }),
      color: 'teal',
    });
  };
}

/** A block hides what a person writes, and whom they follow. */
function readAgain(id: string): void {
  for (const fieldName of ['posts', 'followers', 'following', 'followsViewer'])
    client.cache.evict({ id: `User:${id}`, fieldName });
}

function listsChanged(field: 'mutedUsers' | 'blockedUsers'): void {
  client.cache.evict({ id: 'ROOT_QUERY', fieldName: field });
}
