import { Box, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { graphql } from '../../common/graphql.js';
import { useFilters } from '../../common/ui/filters.js';
import { usePages } from '../../common/ui/pages.js';
import { Empty } from '../../common/ui/states.js';
import { Screen } from '../shell/screen.js';
import { useReaderTexts } from '../texts.js';
import { ListOf, renderPerson } from './person-lists.js';

const FindPeople = graphql(/* GraphQL */ `
  query ReaderFindPeople($query: String!, $after: String) {
    searchUsers(query: $query, first: 30, after: $after) {
      edges {
        cursor
        node {
          ...ReaderPerson
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const PAUSE_MS = 200;

/** People by the beginning of their name or id, while it is typed. */
export default function SearchPage() {
  const t = useReaderTexts();
  const [{ q }, setFilters] = useFilters({ q: '' });
  const [text, setText] = useState(q);
  const search = useDebouncedCallback((query: string) => setFilters({ q: query }), PAUSE_MS);
  return (
    <Screen title={t('search.title')}>
      <Box component="search" p="md" style={{ borderBottom: '1px solid var(--reader-line)' }}>
        <TextInput
          type="search"
          size="md"
          radius="xl"
          aria-label={t('search.label')}
          placeholder={t('search.placeholder')}
          leftSection={<Search size={18} aria-hidden />}
          value={text}
          autoFocus
          onChange={({ currentTarget: { value } }) => {
            setText(value);
            search(value.trim());
          }}
        />
      </Box>
      {q ? <Found key={q} query={q} /> : <Empty title={t('search.begin')}>{t('search.beginHelp')}</Empty>}
    </Screen>
  );
}

function Found({ query }: { readonly query: string }) {
  const t = useReaderTexts();
  const pages = usePages(FindPeople, { query }, ({ searchUsers }) => searchUsers);
  return (
    <ListOf
      pages={pages}
      name={`search ${query}`}
      label={t('search.title')}
      empty={t('search.nobody', { query })}
      render={renderPerson}
    />
  );
}
