import { useQuery } from '@apollo/client/react';
import { Loader, UnstyledButton } from '@mantine/core';
import { ImageOff } from 'lucide-react';
import { Suspense, useState } from 'react';
import { graphql } from '../../common/graphql.js';
import { loadedLater } from '../../common/ui/loaded-later.js';
import type { ReaderMediaFragment } from '../../generated/graphql.js';
import { useReaderTexts } from '../texts.js';
import classes from './media.module.css';

const Lightbox = loadedLater(() => import('./lightbox.js'));

const MediaState = graphql(/* GraphQL */ `
  query ReaderMediaState($mediaId: ID!) {
    media(mediaId: $mediaId) {
      ...ReaderMedia
    }
  }
`);

const SHOWN = 4;
const POLL_MS = 1_500;

/** Of a shared post the renditions are not read: they would cost more than all the rest of a feed. */
export type MediaItem = Omit<ReaderMediaFragment, 'renditions'> &
  Partial<Pick<ReaderMediaFragment, 'renditions'>>;

interface MediaGridProps {
  readonly media: readonly MediaItem[];
  readonly author: string;
}

/** A post's pictures and videos: one at its own proportions, more as a mosaic; their space is kept before they load. */
export function MediaGrid({ media, author }: MediaGridProps) {
  const t = useReaderTexts();
  const [open, setOpen] = useState<number | null>(null);
  if (media.length === 0) return null;
  const shown = media.slice(0, SHOWN);
  const rest = media.length - shown.length;
  const isSingle = media.length === 1;
  return (
    <>
      <div className={classes.grid} data-count={shown.length} data-testid="media">
        {shown.map((item, index) => {
          const label = t('media.label', { number: index + 1, count: media.length, author });
          const proportions = isSingle ? { aspectRatio: proportionOf(item) } : undefined;
          if (item.state !== 'READY')
            return (
              <div key={item.id} className={classes.cell} style={proportions}>
                <Waiting item={item} />
              </div>
            );
          if (item.kind === 'VIDEO')
            return (
              <div
                key={item.id}
                className={`${classes.cell} ${isSingle ? classes.single : ''}`}
                style={proportions}
              >
                <Video item={item} label={label} />
              </div>
            );
          return (
            <UnstyledButton
              key={item.id}
              className={`${classes.cell} ${isSingle ? classes.single : ''}`}
              style={proportions}
              aria-label={t('media.open', { label })}
              onClick={() => setOpen(index)}
            >
              <Picture item={item} label={label} />
              {rest > 0 && index === SHOWN - 1 && <span className={classes.more}>+{rest}</span>}
            </UnstyledButton>
          );
        })}
      </div>
      {open !== null && (
        <Suspense>
          <Lightbox media={media} author={author} index={open} show={setOpen} close={() => setOpen(null)} />
        </Suspense>
      )}
    </>
  );
}

/** Between 4:5 and 2:1: nothing takes more than a screen. */
function proportionOf({ renditions = [], kind }: MediaItem): number {
  const { width, height } = [...renditions].reverse().find((one) => one.width && one.height) ?? {};
  if (!width || !height) return kind === 'VIDEO' ? 16 / 9 : 4 / 3;
  return Math.min(2, Math.max(0.8, width / height));
}

export function Picture({ item, label }: { readonly item: MediaItem; readonly label: string }) {
  const sources = (item.renditions ?? []).filter(({ width }) => width);
  const largest = sources.at(-1);
  return (
    <img
      alt={label}
      src={item.url ?? ''}
      {...(sources.length > 0 && { srcSet: sources.map(({ url, width }) => `${url} ${width}w`).join(', ') })}
      sizes="(max-width: 600px) 100vw, 560px"
      {...(largest?.width && largest.height && { width: largest.width, height: largest.height })}
      loading="lazy"
      decoding="async"
    />
  );
}

export function Video({ item, label }: { readonly item: MediaItem; readonly label: string }) {
  const poster = item.renditions?.find(({ name }) => name === 'thumbnail')?.url;
  return (
    <video controls preload="none" aria-label={label} src={item.url ?? ''} {...(poster && { poster })} />
  );
}

/** Asks until it can be shown. */
function Waiting({ item }: { readonly item: MediaItem }) {
  const t = useReaderTexts();
  const isFailed = item.state === 'FAILED';
  useQuery(MediaState, {
    variables: { mediaId: item.mediaId },
    pollInterval: POLL_MS,
    skip: isFailed,
    fetchPolicy: 'network-only',
    nextFetchPolicy: 'network-only',
  });
  return (
    <div className={classes.waiting}>
      <span>
        {isFailed ? <ImageOff size={22} aria-hidden /> : <Loader size="sm" aria-hidden />}
        <br />
        {isFailed ? t('media.failed') : t('media.processing')}
      </span>
    </div>
  );
}
