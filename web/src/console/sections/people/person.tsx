import { useQuery } from '@apollo/client/react';
import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core';
import { Link, Route, Routes, useParams } from 'react-router';
import { graphql } from '../../../common/graphql.js';
import { NotFound } from '../../../common/ui/not-found.js';
import { Page } from '../../../common/ui/page.js';
import { Failure } from '../../../common/ui/states.js';
import { Status } from '../../../common/ui/status.js';
import { SubNav } from '../../../common/ui/sub-nav.js';
import { personPath } from '../../person-link.js';
import { Attributes } from './attributes.js';
import { Deliveries } from './deliveries.js';
import { Devices } from './devices.js';
import { Feed } from './feed.js';
import { Follows } from './follows.js';
import { Inbox } from './inbox.js';
import { Limits } from './limits.js';
import { PersonAvatar, VerifiedMark } from './person-list.js';
import { Preferences } from './preferences.js';
import { Settings } from './settings.js';
import { PersonSuppressions } from './suppressions.js';
import { useTexts } from './texts.js';
import { VerifyButton } from './verify.js';

const personDocument = graphql(/* GraphQL */ `
  query PersonHead($userId: ID!) {
    user(userId: $userId) {
      ...PersonRow
    }
  }
`);

const TABS = [
  ['', 'tabs.follows', Follows],
  ['settings', 'tabs.settings', Settings],
  ['preferences', 'tabs.preferences', Preferences],
  ['devices', 'tabs.devices', Devices],
  ['deliveries', 'tabs.deliveries', Deliveries],
  ['inbox', 'tabs.inbox', Inbox],
  ['feed', 'tabs.feed', Feed],
  ['limits', 'tabs.limits', Limits],
  ['suppressions', 'tabs.suppressions', PersonSuppressions],
  ['attributes', 'tabs.attributes', Attributes],
] as const;

/** Everything about one person, a tab a topic. Who has no profile may still have devices, settings and deliveries. */
export function Person() {
  const t = useTexts();
  const { userId = '' } = useParams();
  const { data, error, refetch } = useQuery(personDocument, { variables: { userId } });
  const user = data?.user;
  const base = personPath(userId);
  return (
    <Page title={user?.displayName ?? userId} actions={user && <VerifyButton user={user} />}>
      <Stack gap="md" key={userId} mt={-8}>
        {Boolean(error) && <Failure error={error} retry={() => void refetch()} />}
        <Group gap="sm">
          {user && <PersonAvatar name={user.displayName} url={user.avatarUrl} size={40} />}
          {data === undefined && !error && <Skeleton height={40} circle />}
          <Text ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
            {userId}
          </Text>
          {user?.isVerified && <VerifiedMark />}
          {user?.isCelebrity && <Status tone="busy">{t('celebrity')}</Status>}
          {data && !user && <Status tone="waits">{t('noProfile')}</Status>}
          <Anchor component={Link} to="/people" size="sm">
            {t('toSearch')}
          </Anchor>
          <Anchor component={Link} to={`/api-keys?user=${encodeURIComponent(userId)}`} size="sm">
            {t('toApiKeys')}
          </Anchor>
        </Group>
        {data && !user && (
          <Text size="sm" c="dimmed">
            {t('noProfileHelp')}
          </Text>
        )}
        <SubNav
          label={t('tabs.label')}
          links={TABS.map(([path, label]) => ({
            to: path ? `${base}/${path}` : base,
            label: t(label),
            isIndex: path === '',
          }))}
        />
        <Routes>
          {TABS.map(([path, , Tab]) => (
            <Route
              key={path}
              {...(path ? { path } : { index: true as const })}
              element={<Tab userId={userId} />}
            />
          ))}
          <Route path="*" element={<NotFound home={base} />} />
        </Routes>
      </Stack>
    </Page>
  );
}
