import { useQuery } from '@apollo/client/react';
import { useEffect } from 'react';
import type { SendTemplatesQuery } from '../../../generated/graphql.js';
import { templatesQuery } from './documents.js';

export type SendTemplate = NonNullable<SendTemplatesQuery['templates']>['edges'][number]['node'];

/** All active templates, page by page: a select shows them together. */
export function useActiveTemplates() {
  const { data, error, refetch, fetchMore } = useQuery(templatesQuery);
  const pageInfo = data?.templates?.pageInfo;
  const cursor = pageInfo?.hasNextPage ? pageInfo.endCursor : null;
  useEffect(() => {
    if (cursor) fetchMore({ variables: { after: cursor } }).catch(() => undefined);
  }, [cursor, fetchMore]);
  const templates = data?.templates?.edges.map(({ node }) => node) ?? [];
  return { templates, isComplete: data !== undefined && !cursor, error, refetch };
}

/** The templates that are sent with one: those of its type, on all channels and in all languages. */
export function siblingsOf(templates: readonly SendTemplate[], templateId: string): readonly SendTemplate[] {
  const type = templates.find((template) => template.templateId === templateId)?.notificationType;
  return type === undefined ? [] : templates.filter(({ notificationType }) => notificationType === type);
}
