import { type CancelDeps, cancelRequests, markCancelled } from '../schedule/cancel.js';
import { sql as statements } from './expand.sql.js';

/** Requests that are marked at once, so that nothing of them is sent while they are withdrawn. */
const MARKED = 1_000;
/** Pages of one transaction. */
const TOGETHER = 5;

/**
 * Withdraws what a cancelled campaign has queued and not sent, the newest pages first. How far it has come is stored: killed at any
 * line it goes on from there.
 */
export async function withdrawCampaign(
  deps: CancelDeps,
  campaignId: string,
  isEnding: () => boolean,
): Promise<void> {
  while (!isEnding()) {
    const { rows: pages } = await deps.postgres.query(statements.toWithdraw, [campaignId, MARKED]);
    if (pages.length === 0) return void (await withdrawnFrom(deps, campaignId, null));
    await markCancelled(
      deps.postgres,
      pages.flatMap(({ requestId }) => requestId ?? []),
      deps.clock.now(),
    );
    for (let at = 0; at < pages.length && !isEnding(); at += TOGETHER) {
      const together = pages.slice(at, at + TOGETHER);
      await cancelRequests(
        deps,
        together.flatMap(({ requestId }) => requestId ?? []),
      );
      await withdrawnFrom(deps, campaignId, together.at(-1)!.page);
    }
  }
}

async function withdrawnFrom(
  { postgres }: CancelDeps,
  campaignId: string,
  page: number | null,
): Promise<void> {
  await postgres.query(statements.withdrawnFrom, [campaignId, page]);
}
