import { Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { Ban, EyeOff, History, Link2, Pencil, Trash2, UserMinus, UserPlus, VolumeX } from 'lucide-react';
import { Suspense } from 'react';
import { useCommonTexts } from '../../common/i18n.js';
import { useSession } from '../../common/session.js';
import { loadedLater } from '../../common/ui/loaded-later.js';
import { useOpened } from '../../common/ui/opens-later.js';
import type { ReaderPostFragment } from '../../generated/graphql.js';
import { referenceOf } from '../feed/cached-feeds.js';
import { dropPosts } from '../feed/live-feed.js';
import { signal } from '../feed/signals.js';
import { BlockDialog } from '../people/block-dialog.js';
import { useFollow } from '../people/follow.js';
import { useMute } from '../people/mute-block.js';
import { useReaderTexts } from '../texts.js';
import { DeleteDialog } from './delete-dialog.js';
import { PostMenuButton } from './post-menu.js';

const EditDialog = loadedLater(() => import('./edit-dialog.js'));
const EditsDialog = loadedLater(() => import('./edits-dialog.js'));

/** Everything else that one can do with a post or with who wrote it. */
export default function PostChoices({ post }: { readonly post: ReaderPostFragment }) {
  const t = useReaderTexts();
  const c = useCommonTexts();
  const session = useSession();
  const follow = useFollow();
  const mute = useMute();
  const { opened, onChange, target } = useOpened();
  const [isEditing, editing] = useDisclosure();
  const [isDeleting, deleting] = useDisclosure();
  const [isBlocking, blocking] = useDisclosure();
  const [showsEdits, edits] = useDisclosure();
  const { author } = post;
  const name = author.displayName;
  const isMine = author.userId === session?.userId;
  const mayDelete = isMine || session?.roles.includes('admin');

  function hide(): void {
    signal({ kind: 'HIDE', postId: post.postId });
    dropPosts(({ __ref }) => __ref === referenceOf(post.id).__ref);
    notifications.show({ message: t('post.hidden'), color: 'teal' });
  }
  function copyLink(): void {
    void navigator.clipboard
      ?.writeText(new URL(`/app/posts/${post.postId}`, location.href).href)
      .then(() => notifications.show({ message: c('act.copied'), color: 'teal' }));
  }

  return (
    <>
      <Menu position="bottom-end" radius="md" width={250} opened={opened} onChange={onChange}>
        <Menu.Target>
          <PostMenuButton name={name} ref={target} />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Link2 size={16} aria-hidden />} onClick={copyLink}>
            {t('post.copyLink')}
          </Menu.Item>
          {post.editedAt && (
            <Menu.Item leftSection={<History size={16} aria-hidden />} onClick={edits.open}>
              {t('post.edits')}
            </Menu.Item>
          )}
          {isMine && (
            <Menu.Item leftSection={<Pencil size={16} aria-hidden />} onClick={editing.open}>
              {c('act.edit')}
            </Menu.Item>
          )}
          {!isMine && (
            <>
              <Menu.Item leftSection={<EyeOff size={16} aria-hidden />} onClick={hide}>
                {t('post.hide')}
              </Menu.Item>
              <Menu.Divider />
              <Menu.Item
                leftSection={
                  author.viewerFollows ? (
                    <UserMinus size={16} aria-hidden />
                  ) : (
                    <UserPlus size={16} aria-hidden />
                  )
                }
                onClick={() => void follow(author)}
              >
                {t(author.viewerFollows ? 'person.unfollowName' : 'person.followName', { name })}
              </Menu.Item>
              <Menu.Item leftSection={<VolumeX size={16} aria-hidden />} onClick={() => void mute(author)}>
                {t(author.viewerMutes ? 'person.unmuteName' : 'person.muteName', { name })}
              </Menu.Item>
              <Menu.Item leftSection={<Ban size={16} aria-hidden />} onClick={blocking.open}>
                {t('person.blockName', { name })}
              </Menu.Item>
            </>
          )}
          {mayDelete && (
            <Menu.Item
              color="var(--mantine-color-error)"
              leftSection={<Trash2 size={16} aria-hidden />}
              onClick={deleting.open}
            >
              {c('act.delete')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {isEditing && <EditDialog post={post} close={editing.close} />}
        {showsEdits && <EditsDialog postId={post.postId} close={edits.close} />}
      </Suspense>
      {isDeleting && <DeleteDialog post={post} close={deleting.close} />}
      {isBlocking && <BlockDialog person={author} close={blocking.close} />}
    </>
  );
}
