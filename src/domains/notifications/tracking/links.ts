import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { ok, type Result, refused } from '../../../platform/errors.js';
import { hasAtMost } from '../../../platform/text.js';
import { isUuid } from '../text.js';

/** What a mail's links are for; each has a path of its own below the track URL. */
const kinds = ['open', 'click', 'unsubscribe', 'preferences'] as const;
export type LinkKind = (typeof kinds)[number];

/** What a link says, and is signed for. */
export interface TrackedLink {
  readonly notificationId: string;
  readonly deliveryId: string;
  /** Epoch seconds at which the mail was sent. */
  readonly sentAt: number;
  /** Where a click goes on to; absent in the others. */
  readonly url?: string | undefined;
}

/** Makes links and trusts only its own. */
export interface Links {
  make(kind: LinkKind, link: TrackedLink): string;
  /**
   * Refused with LINK_MALFORMED or SIGNATURE_REFUSED.
   *
   * @param query a request's, parsed; what else stands in it is overlooked, since mail systems add to links
   */
  read(kind: LinkKind, query: unknown): Result<TrackedLink>;
  /** Whether a URL is one of these already. */
  isOwn(url: string): boolean;
}

/** 144 bits. */
const SIGNATURE_BYTES = 18;
/** What is signed with the secret itself (a token, say) is no link, and no link is a token. */
const KEY_LABEL = 'tidings tracking links v1';

const query = z.object({
  nid: z
    .string()
    .min(1)
    .refine((id) => hasAtMost(id, 64)),
  d: z.string().refine(isUuid),
  t: z.string().regex(/^\d{1,12}$/),
  s: z.string(),
  url: z.string().min(1).optional(),
});

/** @param secret 32 characters at least; with another one, earlier links are refused */
export function createLinks({ trackUrl, secret }: { trackUrl: string; secret: string }): Links {
  const key = Buffer.from(hkdfSync('sha256', secret, '', KEY_LABEL, 32));

  /** As JSON, so that no two links are one text. */
  function sign(kind: LinkKind, { nid, d, t, url }: Omit<z.infer<typeof query>, 's'>): string {
    const signed = JSON.stringify([kind, nid, d, t, url ?? null]);
    const digest = createHmac('sha256', key).update(signed).digest();
    return digest.subarray(0, SIGNATURE_BYTES).toString('base64url');
  }

  return {
    make(kind, { notificationId, deliveryId, sentAt, url }) {
      const named = {
        nid: notificationId,
        d: deliveryId,
        t: String(sentAt),
        ...(url !== undefined && { url }),
      };
      const s = sign(kind, named);
      return `${trackUrl}/${kind}?${new URLSearchParams({ ...named, s })}`;
    },
    read(kind, given) {
      const parsed = query.safeParse(given);
      if (!parsed.success || (kind === 'click') !== (parsed.data.url !== undefined)) {
        return refused('LINK_MALFORMED', 'This link lacks something, or says something twice.');
      }
      const { nid, d, t, s, url } = parsed.data;
      if (!isSame(s, sign(kind, parsed.data))) {
        return refused('SIGNATURE_REFUSED', 'This link was not made here, or was changed since.');
      }
      return ok({ notificationId: nid, deliveryId: d, sentAt: Number(t), url });
    },
    isOwn: (url) => kinds.some((kind) => url.startsWith(`${trackUrl}/${kind}?`)),
  };
}

/** As texts: two that decode to the same bytes are not the same. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
