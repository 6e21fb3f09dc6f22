import { useQuery } from '@apollo/client/react';
import { Stack, Text } from '@mantine/core';
import { graphql } from '../../common/graphql.js';
import { Dialog } from '../../common/ui/dialog.js';
import { Loaded } from '../../common/ui/states.js';
import { Time } from '../../common/ui/time.js';
import { useReaderTexts } from '../texts.js';

const Edits = graphql(/* GraphQL */ `
  query ReaderEdits($postId: ID!) {
    post(postId: $postId) {
      id
      edits {
        content
        editedAt
      }
    }
  }
`);

interface EditsDialogProps {
  readonly postId: string;
  readonly close: () => void;
}

/** A post's earlier texts, newest first. */
export default function EditsDialog({ postId, close }: EditsDialogProps) {
  const t = useReaderTexts();
  const query = useQuery(Edits, { variables: { postId }, fetchPolicy: 'network-only' });
  return (
    <Dialog onClose={close} title={t('post.edits')}>
      <Loaded query={query}>
        {({ post }) => (
          <Stack>
            {[...(post?.edits ?? [])].reverse().map(({ content, editedAt }) => (
              <div key={editedAt}>
                <Text size="xs" c="dimmed">
                  {t('post.until')} <Time at={editedAt} />
                </Text>
                <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                  {content}
                </Text>
              </div>
            ))}
          </Stack>
        )}
      </Loaded>
    </Dialog>
  );
}
