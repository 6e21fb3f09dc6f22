import { documents } from './documents.js';
import type { Fleet } from './fleet.js';
import type { Ledger } from './ledger.js';
import { LIVE_ACCOUNT, OTHER_ACCOUNT, type People } from './world.js';

/** What every api shows that is not so, as sentences. Asked once nothing waits any more. */
export async function shownWrongly(fleet: Fleet, people: People, ledger: Ledger): Promise<readonly string[]> {
  const { rows: posts } = await fleet.postgres.admin.query<{ postId: string; content: string }>(
    `SELECT post_id AS "postId", content FROM posts WHERE deleted_at IS NULL ORDER BY created_at DESC, post_id DESC`,
  );
  const wanted = posts.map(({ postId, content }) => `${postId} ${content}`);
  const found = await Promise.all(
    fleet.apis.map(async ({ name }, index) => {
      const shown = await wholeFeed(people, index);
      const faults = difference(`the feed at ${name}`, wanted, shown);
      for (const [postId, likes] of ledger.likes) {
        const { post } = await people.fan!.at[index]!.run(documents.post, { postId });
        if (post?.likeCount !== likes.size)
          faults.push(`${name} shows ${post?.likeCount} likes of ${postId}, of ${likes.size}`);
      }
      for (const accountId of [LIVE_ACCOUNT, OTHER_ACCOUNT]) {
        const { account } = await people.shop!.at[index]!.run(documents.account, { accountId });
        const { rows } = await fleet.postgres.admin.query<{ cents: number }>(
          `SELECT balance::int AS cents FROM accounts WHERE account_id = $1`,
          [accountId],
        );
        if (Math.round(Number(account?.balance) * 100) !== rows[0]?.cents)
          faults.push(`${name} shows ${account?.balance} on ${accountId}, of ${rows[0]?.cents} cents`);
      }
      return faults;
    }),
  );
  return found.flat();
}

async function wholeFeed(people: People, index: number): Promise<string[]> {
  const shown: string[] = [];
  let after: string | null = null;
  do {
    const variables: { after: string | null; order: 'LATEST' } = { after, order: 'LATEST' };
    const { feed } = await people.fan!.at[index]!.run(documents.feed, variables);
    for (const { node } of feed?.edges ?? []) shown.push(`${node.postId} ${node.content}`);
    after = feed?.pageInfo.hasNextPage ? (feed.pageInfo.endCursor ?? null) : null;
  } while (after !== null);
  return shown;
}

function difference(where: string, wanted: readonly string[], shown: readonly string[]): string[] {
  if (wanted.join() === shown.join()) return [];
  const [there, due] = [new Set(shown), new Set(wanted)];
  const missing = wanted.filter((one) => !there.has(one));
  const extra = shown.filter((one) => !due.has(one));
  if (missing.length + extra.length === 0) return [`${where} is out of order`];
  return [`${where} lacks ${missing.slice(0, 3).join()} and shows ${extra.slice(0, 3).join()}`];
}
