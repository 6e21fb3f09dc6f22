import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { PreviewContent } from './content.js';
import { mailDocument } from './mail-document.js';
import classes from './preview.module.css';
import { usePreviewTexts } from './texts.js';

interface Props {
  readonly content: PreviewContent;
  readonly to?: string | null | undefined;
}

/** A mail: its HTML in a frame that may run nothing and load nothing, and its text. */
export function MailPreview({ content: { subject, body, htmlBody }, to }: Props) {
  const t = usePreviewTexts();
  const [form, setForm] = useState('html');
  const shown = useMemo(() => (htmlBody ? mailDocument(htmlBody) : null), [htmlBody]);
  const isHtml = shown !== null && form === 'html';
  return (
    <Stack gap="xs">
      {shown && (
        <SegmentedControl
          size="xs"
          w="fit-content"
          aria-label={t('mailForms')}
          value={form}
          onChange={setForm}
          data={[
            { value: 'html', label: t('mailHtml') },
            { value: 'text', label: t('mailText') },
          ]}
        />
      )}
      <div className={classes.mail}>
        <div className={classes.mailHead}>
          <Text fw={600}>{subject || t('noSubject')}</Text>
          {to && (
            <Text size="sm" c="dimmed">
              {t('to')}: {to}
            </Text>
          )}
        </div>
        {isHtml ? (
          <iframe className={classes.frame} sandbox="" srcDoc={shown.html} title={t('mailFrame')} />
        ) : (
          <pre className={classes.mailText}>{body}</pre>
        )}
      </div>
      {isHtml && shown.hasPicturesElsewhere && (
        <Text size="xs" c="dimmed">
          {t('pictureElsewhere')}
        </Text>
      )}
    </Stack>
  );
}
