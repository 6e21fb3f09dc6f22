import { Anchor, Checkbox, Code, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Column } from '../../../common/ui/data-list.js';
import { Time } from '../../../common/ui/time.js';
import type { ListDeadLettersQuery } from '../../../generated/graphql.js';
import { useChannelName } from '../../channels.js';
import { pathOfNotification, splitError } from '../notifications/words.js';
import { useTexts } from './texts.js';

export type Letter = NonNullable<ListDeadLettersQuery['deadLetters']>['edges'][number]['node'];

export function useColumns(
  chosen: ReadonlySet<string>,
  toggle: (deliveryId: string, isChosen: boolean) => void,
): readonly Column<Letter>[] {
  const t = useTexts();
  const channelName = useChannelName();
  return [
    {
      key: 'chosen',
      header: '✓',
      width: '28px',
      render: ({ deliveryId, userId }) => (
        <Checkbox
          aria-label={t('choose', { user: userId })}
          checked={chosen.has(deliveryId)}
          onChange={(event) => toggle(deliveryId, event.currentTarget.checked)}
        />
      ),
    },
    {
      key: 'user',
      header: t('column.to'),
      width: 'minmax(90px, 1fr)',
      render: ({ userId, notificationId, deliveryId }) => (
        <Anchor component={Link} size="sm" to={pathOfNotification(notificationId, deliveryId)}>
          {userId}
        </Anchor>
      ),
    },
    {
      key: 'channel',
      header: t('column.channel'),
      width: '80px',
      isWideOnly: true,
      render: ({ channel }) => channelName(channel),
    },
    {
      key: 'error',
      header: t('column.error'),
      width: 'minmax(110px, 3fr)',
      render: ({ error }) => {
        const { code, rest } = splitError(error);
        return (
          <span title={error}>
            {code && <Code>{code}</Code>}{' '}
            <Text span size="sm" c="dimmed">
              {rest}
            </Text>
          </span>
        );
      },
    },
    {
      key: 'notification',
      header: t('column.notification'),
      width: 'minmax(120px, 1.5fr)',
      isWideOnly: true,
      render: ({ notificationId }) => notificationId,
    },
    {
      key: 'attempts',
      isNumber: true,
      header: t('column.attempts'),
      width: '80px',
      isWideOnly: true,
      render: ({ attempts }) => <span className="numbers">{attempts}</span>,
    },
    {
      key: 'at',
      header: t('column.failedAt'),
      width: '110px',
      isWideOnly: true,
      render: ({ failedAt }) => <Time at={failedAt} relative />,
    },
  ];
}
