import { Anchor, Stack } from '@mantine/core';
import { Search } from 'lucide-react';
import { Link } from 'react-router';
import { graphql } from '../../../common/graphql.js';
import { useFilters } from '../../../common/ui/filters.js';
import { Page } from '../../../common/ui/page.js';
import { usePages } from '../../../common/ui/pages.js';
import { Empty } from '../../../common/ui/states.js';
import { TypedInput } from '../../../common/ui/typed-input.js';
import { personPath } from '../../person-link.js';
import { PersonList } from './person-list.js';
import { useTexts } from './texts.js';

const searchDocument = graphql(/* GraphQL */ `
  query PeopleSearch($query: String!, $after: String) {
    searchUsers(query: $query, first: 50, after: $after) {
      totalCount
      totalCountIsEstimate
      ...PersonPage
    }
  }
`);

/** People by the start of a name or an id, while it is typed. */
export function PeopleSearch() {
  const t = useTexts();
  const [{ query }, set] = useFilters({ query: '' });
  const wanted = query.trim().slice(0, 100);
  return (
    <Page title={t('title')} about={t('about')}>
      <TypedInput
        type="search"
        label={t('search.label')}
        placeholder={t('search.placeholder')}
        leftSection={<Search size={16} aria-hidden />}
        value={query}
        maxLength={100}
        onChange={(typed) => set({ query: typed })}
        maw={520}
      />
      {wanted ? <Found query={wanted} /> : <Empty title={t('search.start')}>{t('search.startHelp')}</Empty>}
    </Page>
  );
}

function Found({ query }: { readonly query: string }) {
  const t = useTexts();
  const pages = usePages(searchDocument, { query }, ({ searchUsers }) => searchUsers);
  const count = pages.data?.searchUsers;
  return (
    <Stack gap="xs">
      <span role="status">
        {count &&
          count.totalCount > 0 &&
          t(count.totalCountIsEstimate ? 'search.foundMany' : 'search.found', { count: count.totalCount })}
      </span>
      <PersonList
        label={t('title')}
        pages={pages}
        empty={{
          title: t('search.none'),
          help: (
            <>
              {t('search.noneHelp')}{' '}
              <Anchor component={Link} to={personPath(query)} size="sm" underline="always">
                {t('search.openId', { id: query })}
              </Anchor>
            </>
          ),
        }}
      />
    </Stack>
  );
}
