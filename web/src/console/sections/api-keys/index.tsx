import { Button, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { graphql } from '../../../common/graphql.js';
import { useCommonTexts } from '../../../common/i18n.js';
import { CopyAs } from '../../../common/ui/copy.js';
import { DataList } from '../../../common/ui/data-list.js';
import { useFilters } from '../../../common/ui/filters.js';
import { Page } from '../../../common/ui/page.js';
import { usePages } from '../../../common/ui/pages.js';
import { Status } from '../../../common/ui/status.js';
import { Time } from '../../../common/ui/time.js';
import { TypedInput } from '../../../common/ui/typed-input.js';
import type { ApiKeyRowFragment } from '../../../generated/graphql.js';
import { PersonLink } from '../../person-link.js';
import { CreateDialog } from './create.js';
import { RevokeDialog } from './revoke.js';
import { useTexts } from './texts.js';

graphql(/* GraphQL */ `
  fragment ApiKeyRow on ApiKey {
    id
    apiKeyId
    name
    userId
    roles
    plan
    createdAt
    createdBy
    lastUsedAt
    revokedAt
    revokedBy
  }
`);

const listDocument = graphql(/* GraphQL */ `
  query ApiKeysList($userId: ID, $after: String) {
    apiKeys(userId: $userId, first: 50, after: $after) {
      edges {
        cursor
        node {
          ...ApiKeyRow
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export default function ApiKeysSection() {
  const t = useTexts();
  const c = useCommonTexts();
  const [{ user }, set] = useFilters({ user: '' });
  const [isCreating, { open, close }] = useDisclosure();
  const [revoking, setRevoking] = useState<ApiKeyRowFragment>();
  const variables = { userId: user.trim() || null };
  const pages = usePages(listDocument, variables, ({ apiKeys }) => apiKeys);
  return (
    <Page
      title={t('title')}
      about={t('about')}
      actions={
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={open}>
          {t('create')}
        </Button>
      }
    >
      <Stack>
        <Group align="flex-end" gap="sm">
          <TypedInput
            type="search"
            label={t('user')}
            placeholder={c('filter.any')}
            value={user}
            onChange={(typed) => set({ user: typed })}
          />
          {user && (
            <Button variant="default" onClick={() => set({ user: null })}>
              {c('filter.clear')}
            </Button>
          )}
        </Group>
        <DataList
          label={t('title')}
          {...pages.list}
          keyOf={({ id }) => id}
          empty={user ? { title: t('noneOfUser') } : { title: t('none'), help: t('noneHelp') }}
          columns={[
            {
              key: 'name',
              header: t('name'),
              width: 'minmax(80px, 2fr)',
              render: ({ name, apiKeyId }) => <span title={apiKeyId}>{name ?? apiKeyId}</span>,
            },
            {
              key: 'user',
              header: t('user'),
              width: 'minmax(90px, 1fr)',
              isWideOnly: true,
              render: ({ userId }) => <PersonLink userId={userId} />,
            },
            {
              key: 'roles',
              header: t('roles'),
              width: 'minmax(120px, 1fr)',
              isWideOnly: true,
              render: ({ roles }) => roles.map((role) => t(`role.${role}`)).join(', ') || t('noRole'),
            },
            {
              key: 'plan',
              header: t('plan'),
              width: '100px',
              isWideOnly: true,
              render: ({ plan }) => plan,
            },
            {
              key: 'created',
              header: t('created'),
              width: '120px',
              isWideOnly: true,
              render: ({ createdAt, createdBy }) => (
                <span title={t('createdBy', { user: createdBy ?? t('commandLine') })}>
                  <Time at={createdAt} relative />
                </span>
              ),
            },
            {
              key: 'used',
              header: t('used'),
              width: '120px',
              isWideOnly: true,
              render: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} relative /> : c('never')),
            },
            {
              key: 'state',
              header: t('state'),
              width: '110px',
              render: ({ revokedAt, revokedBy }) =>
                revokedAt ? (
                  <span title={t('revokedBy', { user: revokedBy ?? t('commandLine') })}>
                    <Status tone="over">{t('revoked')}</Status>
                  </span>
                ) : (
                  <Status tone="good">{t('holds')}</Status>
                ),
            },
            {
              key: 'act',
              header: t('actions'),
              width: 'minmax(96px, 110px)',
              render: (row) =>
                !row.revokedAt && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={t('revokeOf', { name: row.name ?? row.apiKeyId })}
                    onClick={() => setRevoking(row)}
                  >
                    {t('revoke')}
                  </Button>
                ),
            },
          ]}
        />
        <CopyAs document={listDocument} variables={variables} />
      </Stack>
      {isCreating && <CreateDialog userId={user} onClose={close} onDone={() => void pages.refetch()} />}
      {revoking && <RevokeDialog apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </Page>
  );
}
