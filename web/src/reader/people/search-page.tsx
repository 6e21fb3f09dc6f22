import { Box } from '@mantine/core';
import { Search } from 'lucide-react';
import { graphql } from '../../common/graphql.js';
import { useFilters } from '../../common/ui/filters.js';
import { usePages } from '../../common/ui/pages.js';
import { Empty } from '../../common/ui/states.js';
import { TypedInput } from '../../common/ui/typed-input.js';
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

/** People by the beginning of their name or id, while it is typed. */
export default function SearchPage() {
  const t = useReaderTexts();
  const [{ q }, setFilters] = useFilters({ q: '' });
  return (
    <Screen title={t('search.title')}>
      <Box component="search" p="md" style={{ borderBottom: '1px solid var(--reader-line)' }}>
        <TypedInput
          type="search"
          size="md"
          radius="xl"
          aria-label={t('search.label')}
          placeholder={t('search.placeholder')}
          leftSection={<Search size={18} aria-hidden />}
          value={q}
          autoFocus
          onChange={(query) => setFilters({ q: query })}
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
