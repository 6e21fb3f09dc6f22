import { Alert, Anchor, List, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Time } from '../../../common/ui/time.js';
import type { SendFromConsoleMutation } from '../../../generated/graphql.js';
import { useChannelName } from '../../channels.js';
import { useTexts as useNotificationTexts } from '../notifications/texts.js';
import { pathOfNotification } from '../notifications/words.js';
import { useTexts } from './texts.js';

export type SendOutcome = Omit<SendFromConsoleMutation['sendNotification'], '__typename' | 'userErrors'>;

/** So many of those who were left out are named. */
const MOST = 10;

/** What became of a send: how many it goes to, who was left out and why, and where it is followed. */
export function Outcome({ outcome }: { readonly outcome: SendOutcome }) {
  const t = useTexts();
  const n = useNotificationTexts();
  const channelName = useChannelName();
  const { notificationsQueued, estimatedDelivery, request, suppressed } = outcome;
  return (
    <Alert
      color={notificationsQueued ? 'teal' : 'gray'}
      title={t('outcome.queued', { count: notificationsQueued ?? 0 })}
      role="status"
    >
      {estimatedDelivery && (
        <Text size="sm">
          {t('outcome.by')} <Time at={estimatedDelivery} />
        </Text>
      )}
      {suppressed.length > 0 && (
        <>
          <Text size="sm" fw={600} mt="xs">
            {t('outcome.leftOut', { count: suppressed.length })}
          </Text>
          <List size="sm">
            {suppressed.slice(0, MOST).map(({ userId, channel, reason, detail }) => (
              <List.Item key={`${userId}/${channel}/${reason}`}>
                {userId}
                {channel && `, ${channelName(channel)}`}: {n(`suppression.${reason}`)}
                {detail && reason !== 'DIGESTED' && ` (${detail})`}
              </List.Item>
            ))}
          </List>
          {suppressed.length > MOST && (
            <Text size="sm">{t('outcome.more', { count: suppressed.length - MOST })}</Text>
          )}
        </>
      )}
      {request && (
        <Anchor component={Link} size="sm" to={pathOfNotification(request.id)}>
          {t('outcome.follow')}
        </Anchor>
      )}
    </Alert>
  );
}
