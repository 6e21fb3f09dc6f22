import type { FeedApp, OpenFeedApp } from './feed-app.js';

const examples: Readonly<Record<string, () => Promise<OpenFeedApp>>> = {
  apollo: async () => (await import('./apollo/feed.js')).openApolloFeed,
  urql: async () => (await import('./urql/feed.js')).openUrqlFeed,
  relay: async () => (await import('./relay/feed.js')).openRelayFeed,
};

const say = (text: string) => process.stdout.write(`${text}\n`);
const show = (app: FeedApp, count: number) => {
  for (const { content, likeCount } of app.posts().slice(0, count))
    say(`  ${likeCount} likes  ${content.slice(0, 80)}`);
};

const example = examples[process.argv[2] ?? ''];
const { TOKEN: token, TIDINGS_URL: url = 'http://127.0.0.1:4000', BY_ID } = process.env;
if (!example || !token) {
  say('TOKEN=$(npx tidings token --user alice) npm run example -- apollo|urql|relay');
  process.exit(1);
}

const open = await example();
const app = await open({ url, token: () => token, byId: BY_ID === 'true' });
say('The first page:');
show(app, 10);
await app.loadMore();
await app.loadMore();
say(`After two more pages: ${app.posts().length} posts`);
const top = app.posts()[0];
if (top) {
  const refusal = await app.like(top);
  say(refusal ?? 'The first one is liked:');
  show(app, 1);
}
say('New posts of those whom you follow appear here; Ctrl-C ends it.');
let newest = top?.id;
setInterval(() => {
  if (app.posts()[0]?.id === newest) return;
  newest = app.posts()[0]?.id;
  show(app, 1);
}, 500);
