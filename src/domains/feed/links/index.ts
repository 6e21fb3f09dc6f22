import ipaddr from 'ipaddr.js';
import type { Logger } from '../../../platform/logging/logger.js';
import { createLookBack } from '../../../platform/look-back.js';
import { isPublicName } from '../../../platform/network/public-lookup.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { FeedConfig } from '../config.js';
import { type ChargeHost, fetchPage } from './fetch-page.js';
import { AskedTooOften, NoPage } from './no-page.js';
import type { DuePreview } from './preview-task.js';
import { sql } from './previews.sql.js';
import type { PageSummary } from './read-page.js';

const SWEPT_AT_ONCE = 100;

/** The preview of the first link of a post. */
export interface LinkPreview extends PageSummary {
  /** As it is in the post. */
  readonly url: string;
}

/** A page's summary, and when it was fetched, if another post's preview has it. */
type Summary = PageSummary & { readonly fetchedAt?: Date };

/** The turns of waiting previews among all of their author's, from 1. Those that do not wait are left out. */
export async function turnsOf(postgres: Queryable, postIds: readonly string[]): Promise<DuePreview[]> {
  if (postIds.length === 0) return [];
  return (await postgres.query(sql.turnsOf, [postIds])).rows;
}

/** Limits that all workers share. */
export interface LinkQuotas {
  /** Counts one and answers 0; or, where the quota is used up, counts nothing and answers milliseconds until one fits. */
  chargeShared(quota: {
    readonly id: string;
    readonly max: number;
    readonly windowSeconds: number;
  }): Promise<number>;
}

/** Previews of links: the inline projection of a post writes a row for its link, a worker fetches the page. */
export function createLinkPreviews(deps: {
  postgres: Queryable;
  config: Pick<FeedConfig, 'linkPreviewHosts' | 'linkPreviewsAMinute'>;
  /** Absent: requests to hosts are not limited. */
  quotas?: LinkQuotas;
  /** Instead of the machine's own. */
  nameServers?: readonly string[];
}) {
  const { postgres } = deps;
  const allowed = new Set(deps.config.linkPreviewHosts);
  const lookBack = createLookBack();

  const chargeHost: ChargeHost = async (host) =>
    (await deps.quotas?.chargeShared({
      id: `link-preview:${host}`,
      max: deps.config.linkPreviewsAMinute,
      windowSeconds: 60,
    })) ?? 0;

  async function summaryOf(url: string, signal: AbortSignal): Promise<Summary> {
    const { rows } = await postgres.query(sql.findKnown, [url]);
    if (rows[0]) return rows[0];
    const fetched = await fetchPage(new URL(url), allowed, signal, chargeHost);
    const { readPage } = await import('./read-page.js');
    const page = readPage(fetched, allowed);
    return (await mayShow(page.imageUrl, signal)) ? page : { ...page, imageUrl: null };
  }

  /** Readers' clients load it: a post must not make them request a name of their private network. */
  async function mayShow(imageUrl: string | null, signal: AbortSignal): Promise<boolean> {
    if (imageUrl === null) return true;
    const { host, hostname } = new URL(imageUrl);
    const isAddress = ipaddr.isValid(hostname.replace(/^\[|\]$/g, ''));
    return allowed.has(host) || isAddress || isPublicName(hostname, signal, deps.nameServers);
  }

  return {
    /** By post id; absent where there is nothing to show, or nothing was fetched yet. Whether a post may be seen is not checked. */
    async of(postIds: readonly string[]): Promise<Map<string, LinkPreview>> {
      const { rows } = await postgres.query(sql.find, [postIds]);
      return new Map(rows.map(({ postId, url, title, imageUrl }) => [postId, { url, title, imageUrl }]));
    },

    /** Fetches the preview of a post, if it is due. After an error that may be temporary it is tried three times in all. */
    async fetch(
      postId: string,
      { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
    ): Promise<void> {
      const [claim] = (await postgres.query(sql.claim, [postId])).rows;
      if (!claim) return;
      let summary: Summary = { title: null, imageUrl: null };
      try {
        summary = await summaryOf(claim.url, signal);
      } catch (error) {
        if (error instanceof AskedTooOften) {
          await postgres.query(sql.postpone, [postId, claim.attempts, error.waitMs]);
          return;
        }
        const isOver = error instanceof NoPage || claim.isLast;
        logger.info({ err: error, postId, isOver }, 'the preview of a link could not be fetched');
        if (!isOver) return;
      }
      const { title, imageUrl, fetchedAt = null } = summary;
      const state = title === null && imageUrl === null ? 'none' : 'ready';
      const { url, attempts } = claim;
      await postgres.query(sql.settle, [postId, url, attempts, state, title, imageUrl, fetchedAt]);
    },

    /** Previews that are due. */
    async findWaiting(): Promise<DuePreview[]> {
      // Found ones stay due until a worker claims them.
      const rows = await lookBack.look(
        async (backMs) => (await postgres.query(sql.findWaiting, [SWEPT_AT_ONCE, backMs])).rows,
        (waiting) => waiting.length === 0,
      );
      return turnsOf(
        postgres,
        rows.map(({ postId }) => postId),
      );
    },
  };
}
