import { ActionIcon, Anchor, Text } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { graphql } from '../../../common/graphql.js';
import { DataList } from '../../../common/ui/data-list.js';
import type { ListState } from '../../../common/ui/pages.js';
import { Time } from '../../../common/ui/time.js';
import type { SuppressionRowFragment } from '../../../generated/graphql.js';
import { useChannelName } from '../../channels.js';
import { PersonLink } from '../../person-link.js';
import { Cause } from './cause.js';
import { RemoveDialog } from './remove.js';
import { useTexts } from './texts.js';

graphql(/* GraphQL */ `
  fragment SuppressionRow on AddressSuppression {
    id
    channel
    address
    cause
    note
    addedBy
    deliveryId
    createdAt
  }
`);

interface SuppressionListProps {
  /** What `usePages` answered. */
  readonly pages: { readonly list: ListState<SuppressionRowFragment>; readonly refetch: () => unknown };
  readonly empty: { readonly title: string; readonly help?: React.ReactNode };
}

export function SuppressionList({ pages, empty }: SuppressionListProps) {
  const t = useTexts();
  const channelName = useChannelName();
  const [removing, setRemoving] = useState<SuppressionRowFragment>();
  return (
    <>
      <DataList
        label={t('title')}
        {...pages.list}
        keyOf={({ id }) => id}
        empty={empty}
        columns={[
          {
            key: 'address',
            header: t('address'),
            width: 'minmax(80px, 2fr)',
            render: ({ address }) => <span title={address}>{address}</span>,
          },
          {
            key: 'channel',
            header: t('channel'),
            width: '80px',
            isWideOnly: true,
            render: ({ channel }) => channelName(channel),
          },
          {
            key: 'cause',
            header: t('cause'),
            width: 'minmax(110px, 160px)',
            render: ({ cause }) => <Cause cause={cause} />,
          },
          {
            key: 'note',
            header: t('note'),
            width: 'minmax(140px, 2fr)',
            isWideOnly: true,
            render: (row) => <Origin row={row} />,
          },
          {
            key: 'at',
            header: t('since'),
            width: '130px',
            isWideOnly: true,
            render: ({ createdAt }) => <Time at={createdAt} relative />,
          },
          {
            key: 'remove',
            header: t('actions'),
            width: '72px',
            render: (row) => (
              <ActionIcon
                variant="default"
                aria-label={t('removeOf', { address: row.address })}
                title={t('remove')}
                onClick={() => setRemoving(row)}
              >
                <Trash2 size={16} aria-hidden />
              </ActionIcon>
            ),
          },
        ]}
      />
      {removing && (
        <RemoveDialog
          suppression={removing}
          onClose={() => setRemoving(undefined)}
          onDone={() => void pages.refetch()}
        />
      )}
    </>
  );
}

/** Who or what put it there. */
function Origin({ row: { note, addedBy, deliveryId } }: { readonly row: SuppressionRowFragment }) {
  const t = useTexts();
  if (addedBy)
    return (
      <Text size="sm" truncate title={note ?? undefined}>
        {note && `${note} · `}
        <PersonLink userId={addedBy} />
      </Text>
    );
  if (!deliveryId) return note;
  return (
    <Anchor component={Link} size="sm" to={`/notifications?search=${encodeURIComponent(deliveryId)}`}>
      {t('delivery')}
    </Anchor>
  );
}
