import { deepStrictEqual } from 'node:assert';
import { posts } from './posts.ts';
import { body, headersWith, path, tokenOf } from './request.ts';

interface Answer {
  readonly data?: {
    readonly feed?: { readonly edges: readonly { readonly node: { readonly postId: string } }[] };
  } | null;
  readonly errors?: readonly unknown[];
}

/**
 * Asks a server for the page and holds its answer against what memory holds, then sees that it refuses
 * a caller without a token and one with a forged token.
 *
 * @returns the answer, for comparison between servers
 * @throws when any of it is wrong
 */
export async function verifyServer(name: string, origin: string): Promise<Answer> {
  const answer = await ask(origin, await tokenOf('alice'));
  const wanted = posts.slice(20, 40).map(({ postId }) => postId);
  const got = answer.data?.feed?.edges.map(({ node }) => node.postId);
  deepStrictEqual(got, wanted, `${name} gave a wrong page: ${JSON.stringify(answer).slice(0, 500)}`);
  for (const token of [undefined, await tokenOf('alice', 'another-secret-of-at-least-32-bytes-length')]) {
    const refusal = await ask(origin, token);
    if (refusal.data?.feed || !refusal.errors?.length)
      throw new Error(`${name} answered a caller whom it does not know`);
  }
  return answer;
}

async function ask(origin: string, token: string | undefined): Promise<Answer> {
  const response = await fetch(`${origin}${path}`, { method: 'POST', headers: headersWith(token), body });
  return (await response.json()) as Answer;
}
