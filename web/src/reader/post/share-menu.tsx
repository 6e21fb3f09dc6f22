import { Menu } from '@mantine/core';
import { Quote, Repeat2 } from 'lucide-react';
import { useOpened } from '../../common/ui/opens-later.js';
import type { ReaderPostFragment } from '../../generated/graphql.js';
import { openComposer } from '../composer/composer-dialog.js';
import { useReaderTexts } from '../texts.js';
import { ShareButton } from './post-actions.js';
import { useShare } from './share.js';

/** Share a post as it is, or with words of one's own. */
export default function ShareMenu({ post }: { readonly post: ReaderPostFragment }) {
  const t = useReaderTexts();
  const share = useShare();
  const { opened, onChange, target } = useOpened();
  return (
    <Menu position="bottom" radius="md" opened={opened} onChange={onChange}>
      <Menu.Target>
        <ShareButton post={post} ref={target} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Repeat2 size={16} aria-hidden />} onClick={() => void share(post)}>
          {t('share.now')}
        </Menu.Item>
        <Menu.Item
          leftSection={<Quote size={16} aria-hidden />}
          onClick={() => openComposer({ share: post })}
        >
          {t('share.quote')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
