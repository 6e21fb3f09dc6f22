import { useQuery } from '@apollo/client/react';
import { graphql } from '../../../common/graphql.js';
import { DataList } from '../../../common/ui/data-list.js';
import { Status } from '../../../common/ui/status.js';
import { Time } from '../../../common/ui/time.js';
import { useTexts } from './texts.js';

const devicesDocument = graphql(/* GraphQL */ `
  query PersonDevices($userId: ID!) {
    devices(userId: $userId) {
      id
      deviceId
      platform
      appVersion
      isActive
      createdAt
      lastSeenAt
    }
  }
`);

/** Where push messages of theirs go. */
export function Devices({ userId }: { readonly userId: string }) {
  const t = useTexts();
  const { data, error, refetch } = useQuery(devicesDocument, { variables: { userId } });
  return (
    <DataList
      label={t('tabs.devices')}
      rows={data?.devices ?? []}
      isLoaded={data !== undefined}
      error={error}
      retry={() => void refetch()}
      keyOf={({ id }) => id}
      empty={{ title: t('devices.none'), help: t('devices.noneHelp') }}
      columns={[
        {
          key: 'id',
          header: t('devices.device'),
          width: 'minmax(140px, 2fr)',
          render: ({ deviceId }) => <span title={deviceId}>{deviceId}</span>,
        },
        {
          key: 'platform',
          header: t('devices.platform'),
          width: '110px',
          render: ({ platform }) => t(`devices.platforms.${platform}`),
        },
        {
          key: 'state',
          header: t('devices.state'),
          width: '110px',
          render: ({ isActive }) => (
            <Status tone={isActive ? 'good' : 'over'}>
              {t(isActive ? 'devices.active' : 'devices.inactive')}
            </Status>
          ),
        },
        {
          key: 'version',
          header: t('devices.version'),
          width: '120px',
          isWideOnly: true,
          render: ({ appVersion }) => appVersion ?? '–',
        },
        {
          key: 'seen',
          header: t('devices.seen'),
          width: '140px',
          isWideOnly: true,
          render: ({ lastSeenAt }) => (lastSeenAt ? <Time at={lastSeenAt} relative /> : '–'),
        },
        {
          key: 'created',
          header: t('devices.created'),
          width: '200px',
          isWideOnly: true,
          render: ({ createdAt }) => <Time at={createdAt} />,
        },
      ]}
    />
  );
}
