import { useFilters } from '../../../common/ui/filters.js';
import type { Channel, Priority } from '../../../generated/graphql.js';

const NONE = {
  span: 'day',
  from: '',
  to: '',
  compare: 'none',
  channel: '',
  type: '',
  template: '',
  priority: '',
  by: 'channel',
};
export type Filters = Readonly<Record<keyof typeof NONE, string>>;
export type SetFilters = ReturnType<typeof useAnalyticsFilters>[1];

export const useAnalyticsFilters = () => useFilters(NONE);

/** What narrows the counts, as the API takes it. */
export const narrowed = ({ channel, priority, type, template }: Filters) => ({
  ...(channel && { channel: channel as Channel }),
  ...(priority && { priority: priority as Priority }),
  ...(type && { notificationType: type }),
  ...(template && { templateId: template }),
});
