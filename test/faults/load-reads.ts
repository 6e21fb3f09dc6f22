import { documents } from './documents.js';
import type { LoopTools } from './fleet-load.js';
import { type Ledger, type PostRecord, readContent } from './ledger.js';
import { readers } from './world.js';

/** What was acknowledged before a read began: it must be seen by it. */
interface Known {
  readonly deleted: boolean;
  readonly edit: number;
}

const known = ({ deleted, edit }: PostRecord): Known => ({ deleted, edit });

/** Reads one post by some api. @param reader one of the readers where absent */
export async function readPost(tools: LoopTools, post: PostRecord, reader?: string): Promise<void> {
  const { ledger, people } = tools;
  const viewer = reader ?? readers[tools.below(readers.length)]!;
  const before = known(post);
  const answer = await tools.once(people[viewer]!, documents.post, { postId: post.postId });
  if (answer.kind !== 'data') return;
  const shown = answer.data.post;
  check(ledger, `post(postId: ${post.postId})`, post, before, shown?.content ?? null);
  if (!shown && !post.deleted && !before.deleted && !post.author.startsWith('changing'))
    ledger.violations.push(`${at()} post(postId: ${post.postId}) of ${post.author} is not shown at all`);
}

/** Reads a feed by some api. */
export async function readFeed(tools: LoopTools, reader: string): Promise<void> {
  const { ledger, people } = tools;
  const before = new Map([...ledger.posts.values()].map((post) => [post.postId, { post, was: known(post) }]));
  const order = tools.below(2) === 0 ? ('LATEST' as const) : ('RANKED' as const);
  const answer = await tools.once(people[reader]!, documents.feed, { after: null, order });
  if (answer.kind !== 'data') return;
  const edges = answer.data.feed?.edges ?? [];
  for (const { node } of edges) {
    const one = before.get(node.postId);
    if (one) check(ledger, `feed(order: ${order}) of ${reader}`, one.post, one.was, node.content);
  }
  if (new Set(edges.map(({ node }) => node.postId)).size < edges.length)
    ledger.violations.push(`${at()} feed of ${reader} shows a post twice`);
}

/** Nothing of a blocked author is shown, by any path of the load. */
export async function expectHidden(tools: LoopTools, blocker: string, author: string): Promise<void> {
  const { ledger, people } = tools;
  const feed = await tools.once(people[blocker]!, documents.feed, { after: null, order: 'LATEST' });
  if (feed.kind === 'data' && feed.data.feed?.edges.some(({ node }) => node.author.userId === author))
    ledger.violations.push(`${at()} the feed of ${blocker} shows posts of ${author}, whom they block`);
  const post = [...ledger.posts.values()].findLast((one) => one.author === author);
  if (!post) return;
  const answer = await tools.once(people[blocker]!, documents.post, { postId: post.postId });
  if (answer.kind === 'data' && answer.data.post)
    ledger.violations.push(`${at()} ${blocker} reads ${post.postId} of ${author}, whom they block`);
}

function check(ledger: Ledger, where: string, post: PostRecord, before: Known, content: string | null): void {
  if (content === null) return;
  if (before.deleted) {
    ledger.violations.push(`${at()} ${where} shows the deleted post ${post.postId}`);
    return;
  }
  const shown = readContent(content);
  if (!shown || shown.edit < before.edit || shown.edit > post.editing)
    ledger.violations.push(
      `${at()} ${where} shows ${post.postId} as "${content}" after edit ${before.edit} was acknowledged`,
    );
}

const at = (): string => new Date().toISOString().slice(11, 23);
