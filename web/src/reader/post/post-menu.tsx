import { ActionIcon, type ActionIconProps } from '@mantine/core';
import { Ellipsis } from 'lucide-react';
import { type ComponentPropsWithRef } from 'react';
import { loadedLater } from '../../common/ui/loaded-later.js';
import { OpensLater } from '../../common/ui/opens-later.js';
import type { ReaderPostFragment } from '../../generated/graphql.js';
import { useReaderTexts } from '../texts.js';

const PostChoices = loadedLater(() => import('./post-choices.js'));

/** The way to everything else that one can do with a post or with who wrote it. */
export function PostMenu({ post }: { readonly post: ReaderPostFragment }) {
  return (
    <OpensLater kind="menu" button={<PostMenuButton name={post.author.displayName} />}>
      <PostChoices post={post} />
    </OpensLater>
  );
}

interface PostMenuButtonProps
  extends ActionIconProps,
    Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps> {
  readonly name: string;
}

export function PostMenuButton({ name, ...rest }: PostMenuButtonProps) {
  const t = useReaderTexts();
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      radius="xl"
      size={32}
      c="dimmed"
      aria-label={t('post.menu', { name })}
      {...rest}
    >
      <Ellipsis size={18} aria-hidden />
    </ActionIcon>
  );
}
