import { useSessionStorage } from '@mantine/hooks';
import { newKey } from '../../../common/idempotency-key.js';
import { useFilters } from '../../../common/ui/filters.js';
import type { Channel } from '../../channels.js';

/** What is being written. Its template and recipients stand in the URL, all else is kept for the tab: too many recipients, too. */
export interface Draft {
  readonly notificationId: string;
  readonly typed: Readonly<Record<string, string>>;
  readonly channels: readonly Channel[];
  readonly fallbackChannels: readonly Channel[];
  readonly priority: 'HIGH' | 'MEDIUM' | 'LOW' | null;
  /** As `datetime-local` has it; empty: now. */
  readonly scheduleAt: string;
  readonly isLocalTime: boolean;
  readonly expiresAt: string;
  /** Those that are too many for a URL. */
  readonly recipients: readonly string[];
}

const EMPTY: Omit<Draft, 'notificationId'> = {
  typed: {},
  channels: [],
  fallbackChannels: [],
  priority: null,
  scheduleAt: '',
  isLocalTime: false,
  expiresAt: '',
  recipients: [],
};

/** Servers take 16 KiB of headers and no more, URL and cookies included: a longer one could not be loaded again. */
const MOST_IN_URL = 2_000;

const fitsUrl = (to: string): boolean => encodeURIComponent(to).length <= MOST_IN_URL;

/** An id that no other notification has: the same one goes along with each try, so that none is sent twice. */
export const newNotificationId = (): string => `console-${newKey().slice(0, 12)}`;

export function useDraft() {
  const [draft, setDraft] = useSessionStorage<Draft>({
    key: 'tidings.send',
    defaultValue: { ...EMPTY, notificationId: newNotificationId() },
    getInitialValueInEffect: false,
  });
  const [{ template, to, many }, setPlace] = useFilters({ template: '', to: '', many: '' });
  function setRecipients(next: readonly string[]): void {
    const joined = next.join(',');
    const isInUrl = fitsUrl(joined);
    setDraft((before) => ({ ...before, recipients: isInUrl ? [] : next }));
    setPlace({ to: isInUrl ? joined : null, many: isInUrl ? null : 'true' });
  }
  return {
    draft,
    change: (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes })),
    template,
    setTemplate: (next: string | null) => setPlace({ template: next }),
    // What an earlier version of the page has kept lacks them.
    recipients: many ? (draft.recipients ?? []) : to.split(',').filter(Boolean),
    setRecipients,
    /** After it was sent: the next one has an id of its own; what was typed stays, to be sent to others. */
    renew: () => setDraft((before) => ({ ...before, notificationId: newNotificationId() })),
  };
}

export type DraftState = ReturnType<typeof useDraft>;

/**
 * A `datetime-local` text as ISO 8601. On the recipients' clocks its figures are meant as they are, which the API takes as if
 * they were UTC.
 */
export function toInstant(text: string, isLocalTime = false): string | undefined {
  if (!text) return undefined;
  const date = new Date(isLocalTime ? `${text}Z` : text);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** What `sendNotification` takes. */
export function inputOf(
  draft: Draft,
  templateId: string,
  type: string,
  recipients: readonly string[],
  variables: Readonly<Record<string, unknown>>,
) {
  const scheduleAt = toInstant(draft.scheduleAt, draft.isLocalTime);
  const expiresAt = toInstant(draft.expiresAt);
  return {
    notificationId: draft.notificationId,
    type,
    templateId,
    recipients: recipients.map((userId) => ({
      userId,
      variables: { ...variables },
      ...(draft.channels.length > 0 && { channels: [...draft.channels] }),
    })),
    ...(draft.priority && { priority: draft.priority }),
    ...(draft.fallbackChannels.length > 0 && { fallbackChannels: [...draft.fallbackChannels] }),
    ...(scheduleAt !== undefined && { scheduleAt }),
    ...(scheduleAt !== undefined && draft.isLocalTime && { scheduleInLocalTime: true }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}
