import { ActionIcon, Group, Text } from '@mantine/core';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect } from 'react';
import { Dialog } from '../../common/ui/dialog.js';
import { hasModifier } from '../../common/ui/typing.js';
import { useReaderTexts } from '../texts.js';
import classes from './media.module.css';
import { type MediaItem, Video } from './media-grid.js';

interface LightboxProps {
  readonly media: readonly MediaItem[];
  readonly author: string;
  readonly index: number;
  readonly show: (index: number) => void;
  readonly close: () => void;
}

/** One picture as large as the window, with the others left and right of it. */
export default function Lightbox({ media, author, index, show, close }: LightboxProps) {
  const t = useReaderTexts();
  const item = media[index];
  const label = t('media.label', { number: index + 1, count: media.length, author });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // With a modifier they are the browser's, in a video the player's.
      if (hasModifier(event) || event.target instanceof HTMLVideoElement) return;
      const { key } = event;
      if (key === 'ArrowRight' && index < media.length - 1) show(index + 1);
      if (key === 'ArrowLeft' && index > 0) show(index - 1);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [index, media.length, show]);
  if (!item) return null;
  return (
    <Dialog onClose={close} title={label} isFullScreen>
      {item.kind === 'VIDEO' ? (
        <Video item={item} label={label} />
      ) : (
        <img className={classes.full} src={item.url ?? ''} alt={label} />
      )}
      {media.length > 1 && (
        <Group justify="center" mt="sm">
          <ActionIcon
            variant="default"
            radius="xl"
            size="lg"
            disabled={index === 0}
            aria-label={t('media.previous')}
            onClick={() => show(index - 1)}
          >
            <ChevronLeft size={20} aria-hidden />
          </ActionIcon>
          <Text size="sm" className="numbers">
            {index + 1} / {media.length}
          </Text>
          <ActionIcon
            variant="default"
            radius="xl"
            size="lg"
            disabled={index === media.length - 1}
            aria-label={t('media.next')}
            onClick={() => show(index + 1)}
          >
            <ChevronRight size={20} aria-hidden />
          </ActionIcon>
        </Group>
      )}
    </Dialog>
  );
}
