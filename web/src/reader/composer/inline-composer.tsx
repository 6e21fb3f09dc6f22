import { UnstyledButton } from '@mantine/core';
import { ImagePlus } from 'lucide-react';
import { Avatar } from '../people/avatar.js';
import { useViewer } from '../post/add-comment.js';
import { useReaderTexts } from '../texts.js';
import { openComposer } from './composer-dialog.js';
import classes from './inline-composer.module.css';

/** Above the feed: the way to the composer. */
export function InlineComposer() {
  const t = useReaderTexts();
  const viewer = useViewer();
  return (
    <UnstyledButton className={classes.prompt} onClick={openComposer}>
      {viewer ? <Avatar person={viewer} /> : <span className={classes.noAvatar} />}
      <span className={classes.field}>{t('composer.placeholder')}</span>
      <ImagePlus size={21} aria-hidden />
    </UnstyledButton>
  );
}
