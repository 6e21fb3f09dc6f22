import { Stack, Text } from '@mantine/core';
import { fromHtml } from '../../common/from-html.js';
import type { PreviewContent } from './content.js';
import { isLoadable } from './mail-document.js';
import classes from './preview.module.css';
import { smsSegments } from './sms-segments.js';
import { usePreviewTexts } from './texts.js';

interface Props {
  readonly content: PreviewContent;
}

export function PushPreview({ content }: Props) {
  const t = usePreviewTexts();
  const { title, subtitle, body, badge } = content;
  return (
    <section className={classes.phone} aria-label={t('pushOf')}>
      <div className={classes.push}>
        <div className={classes.icon} aria-hidden>
          t{badge ? <span className={classes.badge}>{badge}</span> : null}
        </div>
        <div>
          <div className={classes.pushHead}>
            <span>{title || t('app')}</span>
            <span className={classes.when}>{t('now')}</span>
          </div>
          {subtitle && <div className={classes.pushHead}>{subtitle}</div>}
          <div className={classes.text}>{body}</div>
          <Picture content={content} />
        </div>
      </div>
    </section>
  );
}

export function SmsPreview({ content: { body } }: Props) {
  const t = usePreviewTexts();
  return (
    <Stack gap="xs">
      <section className={classes.phonePlain} aria-label={t('smsOf')}>
        <div className={classes.bubble}>{body}</div>
      </section>
      <SmsCost text={body} />
    </Stack>
  );
}

/** In how many segments a text is sent, and why it takes more than its length says. */
export function SmsCost({ text }: { readonly text: string }) {
  const t = usePreviewTexts();
  const { encoding, segments, characters, left, unicode } = smsSegments(text);
  return (
    <Text size="sm" c={segments > 1 ? undefined : 'dimmed'}>
      {t('segments', { count: segments })} · {t('characters', { count: characters })} · {encoding} ·{' '}
      {t('left', { left })}
      {unicode.length > 0 && (
        <Text component="span" size="sm" display="block">
          {t('unicodeBecause', { characters: unicode.slice(0, 8).join(' ') })}
        </Text>
      )}
    </Text>
  );
}

export function InAppPreview({ content }: Props) {
  const t = usePreviewTexts();
  return (
    <section className={classes.inApp} aria-label={t('inAppOf')}>
      <span className={classes.unread} aria-hidden />
      <div>
        {content.title && <Text fw={600}>{fromHtml(content.title)}</Text>}
        <div className={classes.text}>{fromHtml(content.body)}</div>
        <Picture content={content} />
      </div>
      <Text size="xs" c="dimmed">
        {t('now')}
      </Text>
    </section>
  );
}

function Picture({ content: { imageUrl } }: Props) {
  const t = usePreviewTexts();
  if (!imageUrl) return null;
  if (isLoadable(imageUrl)) return <img className={classes.picture} src={imageUrl} alt={t('picture')} />;
  return (
    <div className={classes.noPicture}>
      {t('picture')}: {imageUrl}
    </div>
  );
}
