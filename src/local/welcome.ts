import path from 'node:path';
import { type Role, signToken } from '../platform/auth/auth.js';

export interface Running {
  readonly apiUrl: string;
  readonly workerUrl: string;
  readonly sandboxUrl: string;
  readonly dataDir: string;
  /** Where Postgres' data lies; absent for a server that others run. */
  readonly postgresDir: string | undefined;
  readonly authSecret: string;
}

const people: readonly { userId: string; roles: readonly Role[]; plan: string }[] = [
  { userId: 'alice', roles: ['user'], plan: 'pro' },
  { userId: 'shop', roles: ['user', 'producer'], plan: 'pro' },
  { userId: 'root', roles: ['user', 'producer', 'admin'], plan: 'enterprise' },
];
const weekInSeconds = 7 * 24 * 3600;

/** What a newcomer needs next: where things are, who to be, and a first request that works as it stands. */
export async function welcome(running: Running): Promise<string> {
  const tokens = await Promise.all(
    people.map((person) => signToken(running.authSecret, { ...person, expiresInSeconds: weekInSeconds })),
  );
  const graphql = `${running.apiUrl}/graphql`;
  const query = '{"query":"{ feed(first: 3) { edges { node { id content } } } }"}';
  return `
tidings is ready.

  GraphQL    ${graphql}  (also ${graphql.replace(/^http/, 'ws')})
  GraphiQL   ${running.apiUrl}/graphiql
  REST       ${running.apiUrl}/docs/api  (for tools: ${running.apiUrl}/openapi.json)
  metrics    ${running.apiUrl}/metrics and ${running.workerUrl}/metrics
  messages   ${running.sandboxUrl}/messages  (what the sandbox providers were sent)
  data       ${running.dataDir}  (logs in ${running.dataDir}/logs)${elsewhere(running)}

Tokens, good for a week (others, good for a day, by: npx tidings token --user NAME)
${people.map(({ userId, roles }, i) => `  ${userId}, ${roles.at(-1)}\n    ${tokens[i]}`).join('\n')}

Try
  curl -s ${graphql} -H 'content-type: application/json' -H 'authorization: Bearer ${tokens[0]}' -d '${query}'

Ctrl-C stops everything; the data stays.
`;
}

/** Another line where Postgres' data is not in the data folder. */
function elsewhere({ dataDir, postgresDir }: Running): string {
  if (!postgresDir || !path.relative(dataDir, postgresDir).startsWith('..')) return '';
  return `\n             ${postgresDir}  (Postgres: its user cannot enter the folder above)`;
}
