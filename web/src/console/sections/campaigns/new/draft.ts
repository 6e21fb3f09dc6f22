import { useSessionStorage } from '@mantine/hooks';
import { useSession } from '../../../../common/session.js';
import type { Priority, SendBatchInput } from '../../../../generated/graphql.js';

/** A campaign as it is typed: every field as its text. */
export interface CampaignDraft {
  readonly batchId: string;
  readonly templateId: string;
  readonly filter: string;
  readonly priority: Priority;
  readonly maxPerSecond: string;
  readonly windowHours: string;
  /** ISO 8601; empty: at once. */
  readonly scheduleAt: string;
  readonly variables: Readonly<Record<string, string>>;
}

const EMPTY: CampaignDraft = {
  batchId: '',
  templateId: '',
  filter: '',
  priority: 'LOW',
  maxPerSecond: '',
  windowHours: '',
  scheduleAt: '',
  variables: {},
};

/** Kept in this tab, so that a reload or a look at another section loses nothing. */
export function useDraft() {
  const userId = useSession()?.userId ?? '';
  const [draft, setDraft, forget] = useSessionStorage<CampaignDraft>({
    key: `tidings.campaign.${userId}`,
    defaultValue: EMPTY,
    getInitialValueInEffect: false,
  });
  return {
    // What an earlier version of the page has kept lacks newer fields.
    draft: { ...EMPTY, ...draft },
    set: (changes: Partial<CampaignDraft>) => setDraft((before) => ({ ...before, ...changes })),
    forget,
    /** After it was sent: what was typed since stays. */
    forgetSent: (sent: CampaignDraft) =>
      setDraft((before) =>
        JSON.stringify({ ...EMPTY, ...before }) === JSON.stringify(sent) ? EMPTY : before,
      ),
  };
}

/**
 * What the API takes.
 *
 * @param names the variables that the template declares, with their types; what else was typed before is left out
 */
export function inputOf(
  draft: CampaignDraft,
  names: readonly (readonly [name: string, type: string])[] | null,
  estimatedCount: number | null,
): SendBatchInput {
  const { batchId, templateId, filter, priority, maxPerSecond, windowHours, scheduleAt, variables } = draft;
  const wanted = names ?? Object.keys(variables).map((name) => [name, 'string'] as const);
  const filled = wanted.filter(([name]) => (variables[name] ?? '') !== '');
  const throttle = {
    ...(maxPerSecond !== '' && { maxPerSecond: Number(maxPerSecond) }),
    ...(windowHours !== '' && { windowHours: Number(windowHours) }),
  };
  return {
    batchId: batchId.trim(),
    templateId: templateId.trim(),
    priority,
    variables: Object.fromEntries(filled.map(([name, type]) => [name, typedValue(variables[name]!, type)])),
    segment: { filter: filter.trim(), ...(estimatedCount !== null && { estimatedCount }) },
    ...(Object.keys(throttle).length > 0 && { throttle }),
    ...(scheduleAt && { scheduleAt }),
  };
}

/** A text as its declared type. What is none stays a text, and the API says what is wrong with it. */
function typedValue(text: string, type: string): unknown {
  if (type === 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
