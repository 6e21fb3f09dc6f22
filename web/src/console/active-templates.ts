import { graphql } from '../common/graphql.js';
import { useAllPages } from '../common/ui/pages.js';
import type { ActiveTemplatesQuery } from '../generated/graphql.js';

const activeTemplates = graphql(/* GraphQL */ `
  query ActiveTemplates($after: String) {
    templates(filter: { activeOnly: true }, first: 100, after: $after) {
      edges {
        cursor
        node {
          id
          templateId
          notificationType
          channel
          language
          variables
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export type ActiveTemplate = NonNullable<ActiveTemplatesQuery['templates']>['edges'][number]['node'];

/** All templates that are sent, without those that others only include. */
export function useActiveTemplates() {
  const { rows, ...state } = useAllPages(activeTemplates, {}, ({ templates }) => templates);
  const templates = rows.filter(({ notificationType }) => !notificationType.startsWith('partial:'));
  return { templates, ...state };
}
