import {
  ActionIcon,
  Alert,
  Button,
  FileButton,
  Group,
  Select,
  Stack,
  Textarea,
  Tooltip,
} from '@mantine/core';
import { ImagePlus } from 'lucide-react';
import { type ClipboardEvent, type DragEvent, type FormEvent, type KeyboardEvent, useState } from 'react';
import { newKey } from '../../common/idempotency-key.js';
import { useAct } from '../../common/ui/act.js';
import type { Visibility } from '../../generated/graphql.js';
import { addAbove } from '../feed/cached-feeds.js';
import { type SharedBody, SharedPost } from '../post/attachments.js';
import { SharePost } from '../post/share.js';
import { useReaderTexts } from '../texts.js';
import { AttachmentList } from './attachments.js';
import { Counter } from './counter.js';
import { useKept } from './kept.js';
import { lengthOf, MAX_MEDIA, MAX_POST } from './limits.js';
import { Publish } from './publish.js';
import { useAttachments } from './use-attachments.js';

interface ComposerProps {
  readonly share?: SharedBody;
  readonly close: () => void;
}

const NOTHING = { content: '', key: '' };
const VISIBILITIES = ['PUBLIC', 'FOLLOWERS', 'PRIVATE'] as const satisfies Visibility[];
const ACCEPTED = 'image/jpeg,image/png,image/webp,image/gif,image/avif,video/mp4,video/webm,video/quicktime';

/** Writes a post, or shares one with a text. What was typed and attached outlives closing and reloading. */
export default function Composer({ share, close }: ComposerProps) {
  const t = useReaderTexts();
  const draft = share ? `share.${share.postId}` : 'post';
  const [text, setText] = useKept(`${draft}.text`, '');
  const [visibility, setVisibility] = useKept<Visibility>('post.visibility', 'PUBLIC');
  const [tried, setTried] = useKept(`${draft}.tried`, NOTHING);
  const media = useAttachments(draft);
  const [isFull, setFull] = useState(false);
  const publish = useAct(Publish, { done: t('composer.done') });
  const sharing = useAct(SharePost, { done: t('share.done') });
  const { faults, isRunning } = share ? sharing : publish;
  const length = lengthOf(text);
  const isTooLong = length > MAX_POST;
  const isEmpty = !text.trim() && media.attached.length === 0 && !share;
  const general = faults.filter(({ path }) => !path?.includes('content'));

  function attach(files: readonly File[]): void {
    if (!share) setFull(media.add(files) > 0);
  }
  function onPaste(event: ClipboardEvent): void {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    attach(files);
  }
  function onDrop(event: DragEvent): void {
    event.preventDefault();
    attach([...event.dataTransfer.files]);
  }
  async function submit(event?: FormEvent): Promise<void> {
    event?.preventDefault();
    if (isEmpty || isTooLong || media.isUploading || isRunning) return;
    // What is sent again as it was, after a lost answer, is the same post; anything else is another one.
    const content = JSON.stringify([text, visibility, media.attached.map(({ mediaId }) => mediaId)]);
    const key = tried.content === content ? tried.key : newKey();
    setTried({ content, key });
    const id = share ? await sendShare(share, key) : await sendPost(key);
    if (!id) return;
    addAbove([id]);
    setText('');
    setTried(NOTHING);
    media.clear();
    close();
    window.scrollTo({ top: 0 });
  }
  async function sendPost(key: string): Promise<string | undefined> {
    const mediaIds = media.attached.map(({ mediaId }) => mediaId);
    const outcome = await publish.act({ content: text, mediaIds, visibility, idempotencyKey: key });
    return outcome.ok ? outcome.data.publishPost.post?.id : undefined;
  }
  async function sendShare({ postId }: SharedBody, key: string): Promise<string | undefined> {
    const outcome = await sharing.act({ postId, content: text || null, idempotencyKey: key });
    return outcome.ok ? outcome.data.sharePost.post?.id : undefined;
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit();
  }

  return (
    <form
      onSubmit={(event) => void submit(event)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={onDrop}
    >
      <Stack gap="md">
        <Textarea
          aria-label={t('composer.text')}
          placeholder={t(share ? 'composer.sharePlaceholder' : 'composer.placeholder')}
          size="md"
          autosize
          minRows={4}
          maxRows={16}
          data-autofocus
          value={text}
          readOnly={isRunning}
          onChange={(event) => setText(event.currentTarget.value)}
          onPaste={onPaste}
          onKeyDown={onKeyDown}
          error={
            isTooLong
              ? t('composer.tooLong', { count: MAX_POST })
              : faults.find(({ path }) => path?.includes('content'))?.message
          }
        />
        <AttachmentList media={media} />
        {isFull && <Alert color="yellow">{t('composer.full', { count: MAX_MEDIA })}</Alert>}
        {general.map(({ code, message }) => (
          <Alert key={code} color="red" role="alert">
            {message}
          </Alert>
        ))}
        {share && <SharedPost post={share} />}
        <Group justify="space-between" gap="sm">
          {share ? (
            <span />
          ) : (
            <Group gap="xs">
              <FileButton multiple accept={ACCEPTED} onChange={attach}>
                {(props) => (
                  <Tooltip label={t('composer.attach')}>
                    <ActionIcon
                      {...props}
                      variant="subtle"
                      size="lg"
                      radius="xl"
                      aria-label={t('composer.attach')}
                    >
                      <ImagePlus size={21} aria-hidden />
                    </ActionIcon>
                  </Tooltip>
                )}
              </FileButton>
              <Select
                size="xs"
                w={150}
                aria-label={t('visibility.label')}
                allowDeselect={false}
                value={visibility}
                onChange={(value) => value && setVisibility(value as Visibility)}
                data={VISIBILITIES.map((value) => ({ value, label: t(`visibility.${value}`) }))}
              />
            </Group>
          )}
          <Group gap="sm" ml="auto">
            <Counter length={length} most={MAX_POST} />
            <Button
              type="submit"
              radius="xl"
              loading={isRunning}
              disabled={isEmpty || isTooLong || media.isUploading}
            >
              {t(share ? 'share.submit' : 'composer.submit')}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}
