import type { PostgresServer } from '../../harness/postgres-server.ts';

/** What a graph is made of: posts are spread over the week before now. */
export interface Graph {
  readonly authors: number;
  readonly postsEach: number;
  readonly readers: number;
}

/** As many as an account follows (news feed document, Targets). */
export const followsEach = 200;

export const readerOf = (n: number): string => `reader-${n}`;

/** Makes a graph in an empty database; every reader follows other authors. Posts have a text of 180 characters. */
export async function makeGraph(server: PostgresServer, database: string, graph: Graph): Promise<void> {
  const { authors, postsEach, readers } = graph;
  const statements = [
    `INSERT INTO users (user_id, display_name, last_seen_at)
     SELECT 'author-' || n, 'Author ' || n, now() FROM generate_series(0, ${authors - 1}) n`,
    `INSERT INTO users (user_id, display_name, last_seen_at)
     SELECT 'reader-' || n, 'Reader ' || n, now() FROM generate_series(0, ${readers - 1}) n`,
    // 200 steps of 7 authors reach other authors each, as long as 7 and their number have no divisor in common.
    `INSERT INTO follows (follower_id, followee_id)
     SELECT r.id, a.id FROM generate_series(0, ${readers - 1}) n CROSS JOIN generate_series(0, ${followsEach - 1}) k
     JOIN users r ON r.user_id = 'reader-' || n JOIN users a ON a.user_id = 'author-' || ((n * 13 + k * 7) % ${authors})`,
    `INSERT INTO posts (post_id, author_id, content, position, version, created_at, like_count, comment_count)
     SELECT gen_random_uuid(), u.id, rpad('Post ' || p || ' of ' || u.user_id || ' ', 180, md5(u.user_id || p)), n, n,
       date_trunc('milliseconds', now() - interval '7 days' * random()), n % 50, n % 7
     FROM (SELECT u.*, row_number() OVER () AS r FROM users u WHERE user_id LIKE 'author-%') u
     CROSS JOIN generate_series(1, ${postsEach}) p, LATERAL (SELECT u.r * ${postsEach} + p AS n) position`,
    'VACUUM ANALYZE',
  ];
  for (const statement of statements) await server.run(statement, database);
}
