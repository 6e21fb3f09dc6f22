import { readFileSync } from 'node:fs';
import type { GraphQLSchema } from 'graphql';
import { type Author, authors, type Post, posts } from './posts.ts';

/** What every server gives to the resolvers. */
export interface PageContext {
  /** The `sub` of the caller's token; undefined when it carried none that holds. */
  readonly viewer: string | undefined;
}

interface FeedArguments {
  readonly first: number;
  readonly after?: string | null;
}

const sdl = readFileSync(new URL('./page.graphql', import.meta.url), 'utf8');

/**
 * The page's schema with its resolvers, made by the copy of graphql-js that the server itself uses:
 * graphql-js refuses a schema from another copy.
 */
export function buildPageSchema(graphql: typeof import('graphql')): GraphQLSchema {
  const schema = graphql.buildSchema(sdl);
  const { feed } = schema.getQueryType()?.getFields() ?? {};
  const { author } = graphql.assertObjectType(schema.getType('Post')).getFields();
  if (!feed || !author) throw new Error('page.graphql lacks Query.feed or Post.author');
  feed.resolve = async (_, args: FeedArguments, { viewer }: PageContext) => {
    if (viewer === undefined)
      throw new graphql.GraphQLError('sign in first', { extensions: { code: 'UNAUTHENTICATED' } });
    return pageOf(args);
  };
  author.resolve = (post: Post): Author | undefined => authors.get(post.authorId);
  graphql.assertScalarType(schema.getType('DateTime')).serialize = (value) => (value as Date).toISOString();
  return schema;
}

export function pageOf({ first, after }: FeedArguments) {
  const start = after ? Number(after) + 1 : 0;
  const nodes = posts.slice(start, start + first);
  const edges = nodes.map((node, n) => ({ cursor: String(start + n), node }));
  return {
    edges,
    pageInfo: {
      hasNextPage: start + first < posts.length,
      hasPreviousPage: start > 0,
      startCursor: edges[0]?.cursor,
      endCursor: edges.at(-1)?.cursor,
    },
  };
}
