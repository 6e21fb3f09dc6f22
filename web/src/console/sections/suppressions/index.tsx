import { Button, Group, Select, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Plus } from 'lucide-react';
import { graphql } from '../../../common/graphql.js';
import { useCommonTexts } from '../../../common/i18n.js';
import { CopyAs } from '../../../common/ui/copy.js';
import { useFilters } from '../../../common/ui/filters.js';
import { Page } from '../../../common/ui/page.js';
import { usePages } from '../../../common/ui/pages.js';
import { TypedInput } from '../../../common/ui/typed-input.js';
import { useChannelName } from '../../channels.js';
import { AddDialog } from './add.js';
import { SuppressionList } from './suppression-list.js';
import { useTexts } from './texts.js';

const listDocument = graphql(/* GraphQL */ `
  query SuppressionsList($channel: Channel, $address: String, $after: String) {
    suppressions(channel: $channel, address: $address, first: 50, after: $after) {
      edges {
        cursor
        node {
          ...SuppressionRow
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const CHANNELS = ['EMAIL', 'SMS'] as const;

export default function SuppressionsSection() {
  const t = useTexts();
  const channelName = useChannelName();
  const c = useCommonTexts();
  const [{ channel, address }, set] = useFilters({ channel: '', address: '' });
  const [isAdding, { open, close }] = useDisclosure();
  const variables = {
    channel: CHANNELS.find((one) => one === channel) ?? null,
    address: address.trim() || null,
  };
  const pages = usePages(listDocument, variables, ({ suppressions }) => suppressions);
  const isFiltered = Boolean(channel || address);
  return (
    <Page
      title={t('title')}
      about={t('about')}
      actions={
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={open}>
          {t('add')}
        </Button>
      }
    >
      <Stack>
        <Group align="flex-end" gap="sm">
          <Select
            label={t('channel')}
            placeholder={c('filter.any')}
            clearable
            clearButtonProps={{ 'aria-label': c('filter.clear') }}
            value={channel || null}
            onChange={(value) => set({ channel: value })}
            data={CHANNELS.map((value) => ({ value, label: channelName(value) }))}
          />
          <TypedInput
            type="search"
            label={t('wholeAddress')}
            flex="0 1 22rem"
            value={address}
            onChange={(typed) => set({ address: typed })}
          />
          {isFiltered && (
            <Button variant="default" onClick={() => set({ channel: null, address: null })}>
              {c('filter.clear')}
            </Button>
          )}
        </Group>
        <SuppressionList
          pages={pages}
          empty={
            isFiltered
              ? { title: t('noneFound'), help: t('noneFoundHelp') }
              : { title: t('none'), help: t('noneHelp') }
          }
        />
        <CopyAs document={listDocument} variables={variables} />
      </Stack>
      {isAdding && <AddDialog onClose={close} onDone={() => void pages.refetch()} />}
    </Page>
  );
}
