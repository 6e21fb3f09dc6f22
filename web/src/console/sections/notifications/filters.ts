import { useMemo } from 'react';
import { useFilters } from '../../../common/ui/filters.js';

export const timesWithin = ['hour', 'day', 'week', 'month', 'span'] as const;

const HOURS: Readonly<Record<string, number>> = { hour: 1, day: 24, week: 168, month: 720 };

const NONE = {
  search: '',
  user: '',
  channel: '',
  status: '',
  type: '',
  producer: '',
  time: '',
  from: '',
  to: '',
};
export type FilterName = keyof typeof NONE;
export type Filters = Readonly<Record<FilterName, string>>;

export const useNotificationFilters = () => useFilters(NONE);

/** The span that is meant, as the API takes it: of "the last hour" the same one for as long as the page stays as it is. */
export function useSpan({ time, from, to }: Filters): {
  readonly from?: string | null;
  readonly to?: string | null;
} {
  return useMemo(() => {
    if (time === 'span') return { ...(isTime(from) && { from }), ...(isTime(to) && { to }) };
    const hours = HOURS[time];
    return hours === undefined ? {} : { from: new Date(Date.now() - hours * 3_600_000).toISOString() };
  }, [time, from, to]);
}

const isTime = (text: string): boolean => text !== '' && !Number.isNaN(Date.parse(text));
