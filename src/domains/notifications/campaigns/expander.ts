import { waitFor } from '../../../platform/deadline.js';
import { isUnavailable } from '../../../platform/unavailable.js';
import type { CancelDeps } from '../schedule/cancel.js';
import { type ExpandDeps, expandCampaign } from './expand.js';
import { sql as statements } from './expand.sql.js';
import { createStorePage } from './page.js';
import { withdrawCampaign } from './withdraw.js';

export type ExpanderDeps = Omit<ExpandDeps, 'store'> & CancelDeps;

/** How often it is looked which campaigns have something to do. */
const LOOK_EVERY_MS = 500;
/** Campaigns that go on at once. */
const MOST_AT_ONCE = 100;
/** Campaigns that are withdrawn at once. */
const MOST_WITHDRAWN = 20;
/** A run ends after this time, and the next one goes on. */
const RUN_MS = 10 * 60_000;

interface Work {
  readonly isWithdrawal: boolean;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

/**
 * Works on every campaign that has something to do: stores the pages of running ones, and withdraws what cancelled ones have queued.
 * One process of the fleet does it at a time; where two do all the same, each page is stored by one of them.
 *
 * @returns runs until nothing is left to do, `signal` aborts, or ten minutes have passed
 */
export function createExpander(deps: ExpanderDeps): (signal: AbortSignal) => Promise<void> {
  const { postgres, logger } = deps;
  const store = createStorePage(deps);

  function begin(campaignId: string, isWithdrawal: boolean): Work {
    const controller = new AbortController();
    const { signal } = controller;
    const done = (
      isWithdrawal
        ? withdrawCampaign(deps, campaignId, () => signal.aborted)
        : expandCampaign({ ...deps, store }, campaignId, signal)
    ).catch((error: unknown) => {
      const level = isUnavailable(error) ? 'warn' : 'error';
      logger[level]({ err: error, campaignId }, 'work on a campaign failed; it goes on shortly');
    });
    return { isWithdrawal, controller, done };
  }

  return async (signal) => {
    const works = new Map<string, Work>();
    const endsAt = performance.now() + RUN_MS;
    try {
      while (!signal.aborted && performance.now() < endsAt) {
        const { rows } = await postgres.query(statements.open, [MOST_AT_ONCE, MOST_WITHDRAWN]);
        if (rows.length === 0 && works.size === 0) return;
        const open = new Map(rows.map(({ campaignId, isWithdrawal }) => [campaignId, isWithdrawal]));
        for (const [campaignId, { isWithdrawal, controller }] of works)
          if (open.get(campaignId) !== isWithdrawal) controller.abort();
        for (const [campaignId, isWithdrawal] of open) {
          if (works.has(campaignId)) continue;
          const work = begin(campaignId, isWithdrawal);
          works.set(campaignId, work);
          void work.done.then(() => works.delete(campaignId));
        }
        await waitFor(LOOK_EVERY_MS, signal);
      }
    } finally {
      for (const { controller } of works.values()) controller.abort();
      await Promise.all([...works.values()].map(({ done }) => done));
    }
  };
}
