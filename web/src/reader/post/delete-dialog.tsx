import { useLocation, useNavigate } from 'react-router';
import { client } from '../../common/client.js';
import { graphql } from '../../common/graphql.js';
import { useCommonTexts } from '../../common/i18n.js';
import { useAct } from '../../common/ui/act.js';
import { ConfirmDialog } from '../../common/ui/confirm-dialog.js';
import type { ReaderPostFragment } from '../../generated/graphql.js';
import { referenceOf } from '../feed/cached-feeds.js';
import { dropPosts } from '../feed/live-feed.js';
import { useReaderTexts } from '../texts.js';

const Delete = graphql(/* GraphQL */ `
  mutation ReaderDeletePost($postId: ID!) {
    deletePost(input: { postId: $postId }) {
      deletedId
      userErrors {
        code
        message
        path
      }
    }
  }
`);

interface DeleteDialogProps {
  readonly post: Pick<ReaderPostFragment, 'id' | 'postId'>;
  readonly close: () => void;
}

export function DeleteDialog({ post, close }: DeleteDialogProps) {
  const t = useReaderTexts();
  const c = useCommonTexts();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { act, isRunning } = useAct(Delete, { done: t('post.deleted') });

  async function remove(): Promise<void> {
    const { ok } = await act({ postId: post.postId });
    if (!ok) return;
    close();
    if (pathname === `/posts/${post.postId}`) await navigate('/', { replace: true });
    const { __ref } = referenceOf(post.id);
    dropPosts((one) => one.__ref === __ref);
    client.cache.evict({ id: __ref });
    client.cache.gc();
  }

  return (
    <ConfirmDialog
      title={t('post.deleteTitle')}
      text={t('post.deleteHelp')}
      confirm={c('act.delete')}
      isDangerous
      isRunning={isRunning}
      onConfirm={remove}
      onClose={close}
    />
  );
}
