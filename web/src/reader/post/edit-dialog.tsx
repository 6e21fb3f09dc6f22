import { Button, Group, Stack, Textarea } from '@mantine/core';
import type { FormEvent } from 'react';
import { graphql } from '../../common/graphql.js';
import { useCommonTexts } from '../../common/i18n.js';
import { useAct } from '../../common/ui/act.js';
import { Dialog } from '../../common/ui/dialog.js';
import type { ReaderPostFragment } from '../../generated/graphql.js';
import { Counter } from '../composer/counter.js';
import { useKept } from '../composer/kept.js';
import { lengthOf, MAX_POST } from '../composer/limits.js';
import { useReaderTexts } from '../texts.js';

const Edit = graphql(/* GraphQL */ `
  mutation ReaderEditPost($postId: ID!, $content: String!) {
    editPost(input: { postId: $postId, content: $content }) {
      post {
        ...ReaderPost
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

interface EditDialogProps {
  readonly post: Pick<ReaderPostFragment, 'postId' | 'content'>;
  readonly close: () => void;
}

export default function EditDialog({ post, close }: EditDialogProps) {
  const t = useReaderTexts();
  const c = useCommonTexts();
  const [text, setText] = useKept(`edit.${post.postId}`, post.content);
  const { act, isRunning, faultAt } = useAct(Edit, { done: t('post.editDone') });

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const { ok } = await act({ postId: post.postId, content: text });
    if (!ok) return;
    setText(post.content);
    close();
  }

  return (
    <Dialog onClose={close} title={t('post.editTitle')} size="lg">
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <Textarea
            aria-label={t('composer.text')}
            value={text}
            autosize
            minRows={4}
            maxRows={14}
            data-autofocus
            error={faultAt('content')}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Counter length={lengthOf(text)} most={MAX_POST} />
            <Button variant="default" onClick={close}>
              {c('act.cancel')}
            </Button>
            <Button
              type="submit"
              loading={isRunning}
              disabled={text === post.content || lengthOf(text) > MAX_POST}
            >
              {c('act.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
