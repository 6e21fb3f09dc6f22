import { Anchor, Badge, Card, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { graphql } from '../../../common/graphql.js';
import { useCommonTexts } from '../../../common/i18n.js';
import { useFilters } from '../../../common/ui/filters.js';
import { MoreButton } from '../../../common/ui/more-button.js';
import { usePages } from '../../../common/ui/pages.js';
import { Empty, Failure, Loading } from '../../../common/ui/states.js';
import { Time } from '../../../common/ui/time.js';
import type { FeedOrder, PersonFeedPostFragment } from '../../../generated/graphql.js';
import { personPath } from '../../person-link.js';
import { Choice } from './choice.js';
import { FeedWhy } from './feed-why.js';
import { useTexts } from './texts.js';

graphql(/* GraphQL */ `
  fragment PersonFeedPost on Post {
    id
    postId
    content
    createdAt
    visibility
    likeCount
    commentCount
    shareCount
    media {
      id
    }
    sharedPost {
      id
      content
    }
    author {
      id
      userId
      displayName
    }
  }
`);

const feedDocument = graphql(/* GraphQL */ `
  query PersonFeed($userId: ID!, $order: FeedOrder!, $after: String) {
    feed(userId: $userId, order: $order, first: 20, after: $after) {
      newerThanReadMarker
      edges {
        cursor
        isSponsored
        why {
          source
          score
          terms {
            name
            value
            weight
          }
        }
        node {
          ...PersonFeedPost
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const ORDERS = ['RANKED', 'LATEST'] as const satisfies readonly FeedOrder[];

/** Their feed as they see it, and why each post is in its place. */
export function Feed({ userId }: { readonly userId: string }) {
  const t = useTexts();
  const [{ order }, set] = useFilters({ order: 'RANKED' });
  const chosen = ORDERS.find((one) => one === order) ?? 'RANKED';
  return (
    <Stack gap="sm">
      <Choice
        label={t('feed.order')}
        value={chosen}
        onChange={(value) => set({ order: value })}
        options={ORDERS.map((value) => ({ value, label: t(`feed.orders.${value}`) }))}
      />
      <Text size="sm" c="dimmed">
        {t('feed.about')}
      </Text>
      <Posts userId={userId} order={chosen} />
    </Stack>
  );
}

function Posts({ userId, order }: { readonly userId: string; readonly order: FeedOrder }) {
  const t = useTexts();
  const c = useCommonTexts();
  const pages = usePages(feedDocument, { userId, order }, ({ feed }) => feed);
  const { error, retry } = pages.list;
  const failure = error ? <Failure error={error} retry={retry} /> : null;
  const { edges } = pages;
  if (!pages.list.isLoaded) return failure ?? <Loading rows={6} />;
  if (edges.length === 0) return <Empty title={t('feed.none')}>{t('feed.noneHelp')}</Empty>;
  return (
    <Stack gap="sm" maw={820}>
      {failure}
      {edges.map(({ cursor, node, isSponsored, why }, index) => (
        <Card key={cursor} withBorder padding="md" component="article">
          <Group justify="space-between" gap="xs" mb={4}>
            <Group gap="xs">
              <Text size="sm" c="dimmed" className="numbers">
                {index + 1}
              </Text>
              <Anchor component={Link} to={personPath(node.author.userId)} size="sm" fw={600}>
                {node.author.displayName}
              </Anchor>
              {isSponsored && (
                <Badge variant="default" radius="sm" tt="none">
                  {t('feed.sponsored')}
                </Badge>
              )}
            </Group>
            <Text size="xs" c="dimmed">
              <Time at={node.createdAt} relative />
            </Text>
          </Group>
          <Post post={node} />
          <FeedWhy why={why} isRanked={order === 'RANKED' && !isSponsored} />
        </Card>
      ))}
      <MoreButton list={pages.list} />
      {!pages.list.hasMore && (
        <Text c="dimmed" size="xs" ta="center">
          {c('state.end')}
        </Text>
      )}
    </Stack>
  );
}

function Post({ post }: { readonly post: PersonFeedPostFragment }) {
  const t = useTexts();
  const { content, sharedPost, media, likeCount, commentCount, shareCount, visibility } = post;
  const facts = [
    t('feed.likes', { count: likeCount }),
    t('feed.comments', { count: commentCount }),
    t('feed.shares', { count: shareCount }),
    ...(media.length > 0 ? [t('feed.media', { count: media.length })] : []),
    ...(visibility === 'PUBLIC' ? [] : [t(`feed.visibilities.${visibility}`)]),
  ];
  return (
    <>
      {content && (
        <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }} lineClamp={6}>
          {content}
        </Text>
      )}
      {sharedPost && (
        <Text
          size="sm"
          c="dimmed"
          pl="sm"
          lineClamp={3}
          style={{ borderLeft: '3px solid var(--row-border)' }}
        >
          {sharedPost.content || t('feed.sharedMedia')}
        </Text>
      )}
      <Text size="xs" c="dimmed" mt={6}>
        {facts.join(' · ')}
      </Text>
    </>
  );
}
