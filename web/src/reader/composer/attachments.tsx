import { useQuery } from '@apollo/client/react';
import { ActionIcon, Button, Progress, Text } from '@mantine/core';
import { X } from 'lucide-react';
import { graphql } from '../../common/graphql.js';
import { useCommonTexts } from '../../common/i18n.js';
import { useReaderTexts } from '../texts.js';
import classes from './attachments.module.css';
import type { Attached, useAttachments } from './use-attachments.js';

const Preview = graphql(/* GraphQL */ `
  query ReaderAttachment($mediaId: ID!) {
    media(mediaId: $mediaId) {
      ...ReaderMedia
    }
  }
`);

/** What is attached: seen at once, with how far it is or what is wrong with it. */
export function AttachmentList({ media }: { readonly media: ReturnType<typeof useAttachments> }) {
  const t = useReaderTexts();
  const c = useCommonTexts();
  if (media.attached.length + media.uploads.length === 0) return null;
  const remove = (key: string, name: string) => (
    <ActionIcon
      className={classes.remove}
      variant="filled"
      color="dark"
      radius="xl"
      size="sm"
      aria-label={t('composer.remove', { name })}
      onClick={() => media.remove(key)}
    >
      <X size={14} aria-hidden />
    </ActionIcon>
  );
  return (
    <ul className={classes.list} aria-label={t('composer.media')}>
      {media.attached.map((item) => (
        <li key={item.key} className={classes.item} data-testid="attached">
          <Thumbnail item={item} preview={media.previewOf(item.key)} />
          {remove(item.key, item.name)}
        </li>
      ))}
      {media.uploads.map(({ key, name, done, fault }) => (
        <li key={key} className={classes.item} data-fault={fault ? true : undefined}>
          {media.previewOf(key) && !fault ? (
            <img src={media.previewOf(key)} alt={name} />
          ) : (
            <div className={classes.missing}>{name}</div>
          )}
          {remove(key, name)}
          <div className={classes.state} role={fault ? 'alert' : undefined}>
            {fault ? (
              <>
                <Text inherit c="var(--mantine-color-error)">
                  {fault.message || c('error.NETWORK')}
                </Text>
                <Button size="compact-xs" variant="subtle" onClick={() => media.retry(key)}>
                  {c('state.retry')}
                </Button>
              </>
            ) : (
              <Progress
                value={Math.max(4, done * 100)}
                size="sm"
                aria-label={t('composer.uploading', { name })}
              />
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

const POLL_MS = 1_500;

/** From this computer; after a reload from the API, once it has the picture ready. */
function Thumbnail({ item, preview }: { readonly item: Attached; readonly preview: string | undefined }) {
  const { data, stopPolling } = useQuery(Preview, {
    variables: { mediaId: item.mediaId },
    skip: preview !== undefined,
    pollInterval: POLL_MS,
    fetchPolicy: 'network-only',
    nextFetchPolicy: 'network-only',
  });
  const media = data?.media;
  if (media && media.state !== 'UPLOADED' && media.state !== 'PROCESSING') stopPolling();
  const rendition =
    media?.renditions.find(({ name }) => name === '300' || name === 'thumbnail') ?? media?.renditions[0];
  const source = preview ?? rendition?.url;
  if (!source) return <div className={classes.missing}>{item.name}</div>;
  if (item.kind === 'video' && preview) return <video src={preview} muted aria-label={item.name} />;
  return <img src={source} alt={item.name} />;
}
