import { digestOf } from '../digests/gather.js';
import { statusOf } from '../intake/accept.js';
import type { Draft } from '../intake/request.js';
import { maxRetriesOf, type Priority } from '../types.js';

/** What accept_campaign_page takes of a page's users, in arrays of one length; `kinds` is what many of them share. */
export interface PackedPage {
  readonly kinds: readonly object[];
  readonly userIds: readonly string[];
  readonly deliveryIds: readonly string[];
  /** Places in `kinds`, from 1. */
  readonly kindOf: readonly number[];
  readonly addresses: readonly (string | null)[];
  /** How many lifecycle events those before have. */
  readonly firstEvents: readonly number[];
  /** Lifecycle events in all. */
  readonly events: number;
  /** Users who are not left out: they get it at once, later, or with a digest. */
  readonly queued: number;
}

/** What was decided of a page's users. */
export interface Decided {
  readonly drafts: readonly Draft[];
  /** Users whose templates are of one version may have different texts: in Liquid, dates are of the reader's zone. */
  readonly isOfReaders: boolean;
}

/**
 * Sorts decided drafts by what is stored of them beside user, id and address. All users of a campaign have the same variables, so the
 * template's version, which the steps name, says what the text is, unless texts depend on their readers.
 */
export function packPage({ drafts, isOfReaders }: Decided, priority: Priority): PackedPage {
  const places = new Map<string, number>();
  const kinds: object[] = [];
  const kindOf: number[] = [];
  const firstEvents: number[] = [];
  let events = 0;
  for (const draft of drafts) {
    const key = JSON.stringify([draft.channel, draft.dueAt, draft.steps, isOfReaders && draft.content]);
    let place = places.get(key);
    if (place === undefined) {
      place = kinds.push(kindOfDraft(draft, priority));
      places.set(key, place);
    }
    kindOf.push(place);
    firstEvents.push(events);
    events += draft.steps.length;
  }
  return {
    kinds,
    userIds: drafts.map(({ userId }) => userId),
    deliveryIds: drafts.map(({ deliveryId }) => deliveryId),
    kindOf,
    addresses: drafts.map(({ address }) => address ?? null),
    firstEvents,
    events,
    queued: drafts.filter((draft) => !draft.suppression || digestOf(draft)).length,
  };
}

const kindOfDraft = (draft: Draft, priority: Priority): object => ({
  channel: draft.channel,
  status: statusOf(draft),
  suppression: draft.suppression?.reason,
  content: draft.content ?? {},
  // Whatever is decided later is rendered anew.
  ...(draft.dueAt && { dueAt: draft.dueAt, variables: draft.variables }),
  // Its steps name the digest, so that no other user shares this.
  ...(digestOf(draft) && { digest: digestOf(draft) }),
  maxRetries: maxRetriesOf(priority),
  steps: draft.steps,
});
