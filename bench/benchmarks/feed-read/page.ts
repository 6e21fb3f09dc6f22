import type { LoadRequest } from '../../harness/load.ts';
import { headersWith, path, tokenOf } from '../graphql-page/request.ts';

/** The first page of a ranked feed, with what a client shows and why it is shown. */
export const FEED_PAGE = `query FeedPage {
  feed(first: 20) {
    edges {
      cursor isSponsored
      why { source score terms { name weight value } }
      node {
        id postId content createdAt
        author { userId displayName avatarUrl isVerified }
        likeCount commentCount shareCount mediaUrls
      }
    }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;
const body = JSON.stringify({ query: FEED_PAGE, operationName: 'FeedPage' });

/** One reader's request. */
export const requestOf = async (userId: string): Promise<LoadRequest> => ({
  path,
  headers: headersWith(await tokenOf(userId)),
  body,
});

/** @throws unless the answer is a page of 20 */
export async function readPage(origin: string, { path, headers, body }: LoadRequest): Promise<unknown> {
  const response = await fetch(origin + path, { method: 'POST', headers, body });
  const answer = (await response.json()) as { data?: { feed?: { edges?: unknown[] } } };
  if (answer.data?.feed?.edges?.length !== 20)
    throw new Error(`no page of 20: ${JSON.stringify(answer).slice(0, 500)}`);
  return answer;
}
