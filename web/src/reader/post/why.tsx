import { ActionIcon, type ActionIconProps } from '@mantine/core';
import { CircleHelp } from 'lucide-react';
import { type ComponentPropsWithRef } from 'react';
import { loadedLater } from '../../common/ui/loaded-later.js';
import { OpensLater } from '../../common/ui/opens-later.js';
import type { FeedEdge } from '../feed/use-feed.js';
import { useReaderTexts } from '../texts.js';

const WhyReasons = loadedLater(() => import('./why-reasons.js'));

/** Why a post is in the feed and why in this place. */
export function Why({ why }: { readonly why: FeedEdge['why'] }) {
  return (
    <OpensLater kind="dialog" button={<WhyButton />}>
      <WhyReasons why={why} />
    </OpensLater>
  );
}

export function WhyButton(props: ActionIconProps & ComponentPropsWithRef<'button'>) {
  const t = useReaderTexts();
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      radius="xl"
      size={36}
      c="dimmed"
      aria-label={t('why.open')}
      {...props}
    >
      <CircleHelp size={18} aria-hidden />
    </ActionIcon>
  );
}
