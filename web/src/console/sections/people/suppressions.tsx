import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { graphql } from '../../../common/graphql.js';
import { usePages } from '../../../common/ui/pages.js';
import { SuppressionList } from '../suppressions/suppression-list.js';
import { useTexts } from './texts.js';

const ofPersonDocument = graphql(/* GraphQL */ `
  query PersonSuppressions($userId: ID!, $after: String) {
    suppressions(userId: $userId, first: 50, after: $after) {
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

/** Entries of the suppression list for the addresses that they have now. */
export function PersonSuppressions({ userId }: { readonly userId: string }) {
  const t = useTexts();
  const pages = usePages(ofPersonDocument, { userId }, ({ suppressions }) => suppressions);
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('suppressions.about')}{' '}
        <Anchor component={Link} to="/suppressions" size="sm" underline="always">
          {t('suppressions.all')}
        </Anchor>
      </Text>
      <SuppressionList
        pages={pages}
        empty={{ title: t('suppressions.none'), help: t('suppressions.noneHelp') }}
      />
    </Stack>
  );
}
