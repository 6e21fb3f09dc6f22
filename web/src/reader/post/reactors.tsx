import { Box, Group, SegmentedControl, Stack, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { graphql } from '../../common/graphql.js';
import { Dialog } from '../../common/ui/dialog.js';
import { MoreButton } from '../../common/ui/more-button.js';
import { usePages } from '../../common/ui/pages.js';
import { Failure, Loading } from '../../common/ui/states.js';
import type { ReactionKind, ReaderPostFragment } from '../../generated/graphql.js';
import { useCount } from '../numbers.js';
import { PersonLine } from '../people/person-line.js';
import { useReaderTexts } from '../texts.js';
import { ReactionIcon } from './reaction-kinds.js';

const Reacted = graphql(/* GraphQL */ `
  query ReaderReactors($postId: ID!, $kind: ReactionKind, $after: String) {
    post(postId: $postId) {
      id
      reactions(kind: $kind, first: 30, after: $after) {
        edges {
          cursor
          kind
          node {
            ...ReaderPerson
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

/** Under an open post: how many reacted, and who. */
export function Reactors({ post }: { readonly post: ReaderPostFragment }) {
  const t = useReaderTexts();
  const count = useCount();
  const [isOpen, { open, close }] = useDisclosure();
  const counts = [...post.reactionCounts].sort((a, b) => b.count - a.count);
  if (counts.length === 0) return null;
  return (
    <Box px="md" py="xs" style={{ borderBottom: '1px solid var(--reader-line)' }}>
      <UnstyledButton onClick={open} aria-label={t('reaction.who')}>
        <Group gap="sm">
          {counts.map(({ kind, count: of }) => (
            <Group key={kind} gap={4}>
              <ReactionIcon kind={kind} />
              <Text size="sm" c="dimmed" className="numbers">
                {count(of)}
              </Text>
            </Group>
          ))}
        </Group>
      </UnstyledButton>
      {isOpen && <Reactions post={post} kinds={counts.map(({ kind }) => kind)} close={close} />}
    </Box>
  );
}

interface ReactionsProps {
  readonly post: ReaderPostFragment;
  readonly kinds: readonly ReactionKind[];
  readonly close: () => void;
}

function Reactions({ post, kinds, close }: ReactionsProps) {
  const t = useReaderTexts();
  const [kind, setKind] = useState('');
  const { edges, list } = usePages(
    Reacted,
    { postId: post.postId, kind: (kind || null) as ReactionKind | null },
    ({ post: read }) => read?.reactions,
  );
  return (
    <Dialog onClose={close} title={t('reaction.who')}>
      <Stack>
        {kinds.length > 1 && (
          <SegmentedControl
            aria-label={t('reaction.choose')}
            value={kind}
            onChange={setKind}
            data={[
              { value: '', label: t('reaction.all') },
              ...kinds.map((value) => ({ value, label: t(`reaction.${value}`) })),
            ]}
          />
        )}
        {Boolean(list.error) && <Failure error={list.error} retry={list.retry} />}
        {!list.isLoaded && !list.error && <Loading rows={4} />}
        {edges.map((edge) => (
          <Group key={edge.node.id} wrap="nowrap" justify="space-between">
            <PersonLine person={edge.node} />
            <ReactionIcon kind={edge.kind} size={20} />
          </Group>
        ))}
        <MoreButton list={list} />
      </Stack>
    </Dialog>
  );
}
