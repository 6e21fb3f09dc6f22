import { call } from './call.js';

let authors = 0;

/** A new author whom somebody follows. */
export async function authorFollowedBy(reader: string) {
  const author = `writer-${++authors}-${process.pid}`;
  await call(
    author,
    'mutation ($name: String!) { upsertProfile(input: { displayName: $name }) { userErrors { code } } }',
    { name: author },
  );
  await call(
    reader,
    'mutation ($userId: ID!) { followUser(input: { userId: $userId }) { userErrors { code } } }',
    { userId: author },
  );
  const publish = (content: string) =>
    call(
      author,
      'mutation ($content: String!) { publishPost(input: { content: $content }) { userErrors { code } } }',
      { content },
    );
  return { author, publish };
}
