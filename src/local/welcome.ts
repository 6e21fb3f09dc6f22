import path from 'node:path';
import { signDemoTokens } from '../demo/demo-users.js';

export interface Running {
  readonly apiUrl: string;
  readonly workerUrl: string;
  readonly sandboxUrl: string;
  readonly dataDir: string;
  /** Where Postgres' data lies; absent for a server that others run. */
  readonly postgresDir: string | undefined;
  readonly authSecret: string;
  /** Whether the api serves pages besides. */
  readonly pages: boolean;
}

/** What a newcomer needs next: where things are, who to be, and a first request that works as it stands. */
export async function welcome(running: Running): Promise<string> {
  const tokens = await signDemoTokens(running.authSecret);
  const graphql = `${running.apiUrl}/graphql`;
  const query = '{"query":"{ feed(first: 3) { edges { node { id content } } } }"}';
  return `
tidings is ready.

${pagesOf(running)}  GraphQL    ${graphql}  (also ${graphql.replace(/^http/, 'ws')})
  REST       ${running.apiUrl}/docs/api  (for tools: ${running.apiUrl}/openapi.json)
  metrics    ${running.apiUrl}/metrics and ${running.workerUrl}/metrics
  messages   ${running.sandboxUrl}/messages  (what the sandbox providers were sent)
  data       ${running.dataDir}  (logs in ${running.dataDir}/logs)${elsewhere(running)}

Tokens, good for a week (others, good for a day, by: npx tidings token --user NAME)
${tokens.map(({ userId, role, token }) => `  ${userId}, ${role}\n    ${token}`).join('\n')}

Try
  curl -s ${graphql} -H 'content-type: application/json' -H 'authorization: Bearer ${tokens[0]!.token}' -d '${query}'

Ctrl-C stops everything; the data stays.
`;
}

/** What to open first, in a browser. */
const pagesOf = ({ apiUrl, pages }: Running): string =>
  pages
    ? `  open       ${apiUrl}/  (everything else is linked from there)
  console    ${apiUrl}/console
  reader     ${apiUrl}/app
  GraphiQL   ${apiUrl}/graphiql
`
    : '';

/** Another line where Postgres' data is not in the data folder. */
function elsewhere({ dataDir, postgresDir }: Running): string {
  if (!postgresDir || !path.relative(dataDir, postgresDir).startsWith('..')) return '';
  return `\n             ${postgresDir}  (Postgres: its user cannot enter the folder above)`;
}
