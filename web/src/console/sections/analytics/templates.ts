import { useQuery } from '@apollo/client/react';
import { useEffect, useMemo } from 'react';
import { AnalyticsTemplatesDocument } from './documents.js';

export interface KnownTemplate {
  readonly templateId: string;
  readonly notificationType: string;
  readonly channel: string;
}

/** What may be chosen: types and templates that are in use. */
export function useKnownTemplates() {
  const { data, fetchMore } = useQuery(AnalyticsTemplatesDocument);
  const info = data?.templates?.pageInfo;
  const after = info?.hasNextPage ? info.endCursor : null;
  useEffect(() => {
    if (after) void fetchMore({ variables: { after } }).catch(() => undefined);
  }, [after, fetchMore]);
  return useMemo(() => {
    const templates: readonly KnownTemplate[] = (data?.templates?.edges ?? [])
      .map(({ node }) => node)
      .filter(({ notificationType }) => !notificationType.startsWith('partial:'));
    const types = [...new Set(templates.map(({ notificationType }) => notificationType))];
    return { templates, types };
  }, [data]);
}
