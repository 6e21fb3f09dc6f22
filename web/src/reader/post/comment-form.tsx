import { ActionIcon, Textarea } from '@mantine/core';
import { SendHorizontal } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { newKey } from '../../common/idempotency-key.js';
import { Counter } from '../composer/counter.js';
import { useKept } from '../composer/kept.js';
import { lengthOf, MAX_COMMENT } from '../composer/limits.js';
import { Avatar } from '../people/avatar.js';
import { useReaderTexts } from '../texts.js';
import { useAddComment, useViewer } from './add-comment.js';
import classes from './comments.module.css';

interface CommentFormProps {
  readonly post: { readonly id: string; readonly postId: string; readonly commentCount: number };
  readonly replyTo?: {
    readonly id: string;
    readonly commentId: string;
    readonly author: { readonly displayName: string };
  };
  readonly onDone?: () => void;
}

/** A comment, or an answer to one. It is shown at once; where it is refused, the text is back in its field. */
export function CommentForm({ post, replyTo, onDone }: CommentFormProps) {
  const t = useReaderTexts();
  const viewer = useViewer();
  const add = useAddComment();
  const [text, setText] = useKept(`comment.${replyTo?.commentId ?? post.postId}`, '');
  const [isSending, setSending] = useState(false);
  const newest = useRef(text);
  newest.current = text;
  const tried = useRef({ content: '', key: '' });
  const length = lengthOf(text);
  const isTooLong = length > MAX_COMMENT;

  async function submit(event?: FormEvent): Promise<void> {
    event?.preventDefault();
    const content = text.trim();
    if (!content || isTooLong || isSending) return;
    setSending(true);
    setText('');
    // Its answer may have been lost: sent again, it is still one comment.
    if (tried.current.content !== content) tried.current = { content, key: newKey() };
    const isDone = await add({ post, ...(replyTo && { replyTo }) }, content, tried.current.key);
    if (isDone) tried.current = { content: '', key: '' };
    // Behind it what was typed meanwhile.
    else setText([content, newest.current].filter(Boolean).join('\n'));
    setSending(false);
    if (isDone) onDone?.();
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit();
  }

  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)} onKeyDown={onKeyDown}>
      {viewer ? <Avatar person={viewer} size={replyTo ? 28 : 36} /> : <span />}
      <Textarea
        aria-label={replyTo ? t('comment.replyTo', { name: replyTo.author.displayName }) : t('comment.write')}
        placeholder={
          replyTo ? t('comment.replyTo', { name: replyTo.author.displayName }) : t('comment.write')
        }
        radius="lg"
        autosize
        minRows={1}
        maxRows={8}
        value={text}
        autoFocus={replyTo !== undefined}
        onChange={(event) => setText(event.currentTarget.value)}
        error={isTooLong && t('composer.tooLong', { count: MAX_COMMENT })}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        description={length > MAX_COMMENT - 200 && <Counter length={length} most={MAX_COMMENT} />}
        rightSectionPointerEvents="all"
        rightSection={
          <ActionIcon
            type="submit"
            variant="subtle"
            radius="xl"
            aria-label={t('comment.send')}
            disabled={!text.trim() || isTooLong}
          >
            <SendHorizontal size={18} aria-hidden />
          </ActionIcon>
        }
      />
    </form>
  );
}
