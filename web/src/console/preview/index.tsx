import { Stack, Text } from '@mantine/core';
import type { Channel } from '../channels.js';
import type { PreviewContent } from './content.js';
import { MailPreview } from './mail.js';
import { InAppPreview, PushPreview, SmsPreview } from './mobile.js';
import { usePreviewTexts } from './texts.js';

export type { PreviewContent } from './content.js';
export { SmsCost } from './mobile.js';
export { type SmsSegments, smsSegments } from './sms-segments.js';
export { usePreviewTexts } from './texts.js';

interface PreviewProps {
  readonly channel: Channel;
  readonly content: PreviewContent;
  /** The address of a mail, where it is known. */
  readonly to?: string | null | undefined;
}

/** A message as its reader sees it: on a phone, in a mailbox or in the inbox of the product. */
export function Preview({ channel, content, to }: PreviewProps) {
  const t = usePreviewTexts();
  return (
    <Stack gap="xs">
      {channel === 'PUSH' && <PushPreview content={content} />}
      {channel === 'SMS' && <SmsPreview content={content} />}
      {channel === 'IN_APP' && <InAppPreview content={content} />}
      {channel === 'EMAIL' && <MailPreview content={content} to={to} />}
      {content.actionUrl && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {t('leadsTo')}: {content.actionUrl}
        </Text>
      )}
    </Stack>
  );
}
