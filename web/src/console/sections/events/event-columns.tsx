import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Column } from '../../../common/ui/data-list.js';
import { Time } from '../../../common/ui/time.js';
import type { LoggedEventFragment } from '../../../generated/graphql.js';
import { metadataText } from './event-fields.js';
import { useTexts } from './texts.js';

export const eventLink = ({ globalPosition }: { readonly globalPosition: string }): string =>
  `/events/${globalPosition}`;

export function useEventColumns(): readonly Column<LoggedEventFragment>[] {
  const t = useTexts();
  return [
    {
      key: 'position',
      header: t('event.position'),
      width: '90px',
      render: (event) => (
        <Anchor component={Link} to={eventLink(event)} size="sm" className="numbers">
          {event.globalPosition}
        </Anchor>
      ),
    },
    {
      key: 'type',
      header: t('event.type'),
      width: 'minmax(120px, 1fr)',
      render: ({ eventType }) => (
        <Text span size="sm" fw={600}>
          {eventType}
        </Text>
      ),
    },
    {
      key: 'stream',
      header: t('event.stream'),
      width: 'minmax(120px, 1.4fr)',
      isWideOnly: true,
      render: ({ streamId, streamPosition }) => (
        <>
          <Anchor component={Link} to={`/events?streamId=${encodeURIComponent(streamId)}`} size="sm">
            {streamId}
          </Anchor>{' '}
          <Text span size="xs" c="dimmed" className="numbers">
            #{streamPosition}
          </Text>
        </>
      ),
    },
    {
      key: 'user',
      header: t('event.user'),
      width: 'minmax(80px, 0.7fr)',
      isWideOnly: true,
      render: (event) => metadataText(event, 'userId') ?? '–',
    },
    {
      key: 'at',
      header: t('event.at'),
      width: '130px',
      render: ({ createdAt }) => <Time at={createdAt} relative />,
    },
  ];
}
