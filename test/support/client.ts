import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { type Role, signToken } from '../../src/platform/auth/auth.js';
import type { TypedDocumentString } from './generated/graphql.js';
import { testAuthSecret } from './processes.js';

/** A user of the API, from outside: typed operations over HTTP and WebSocket. */
export interface Client {
  /** Runs an operation and expects no error. */
  run<Answer, Variables extends Record<string, unknown>>(
    document: TypedDocumentString<Answer, Variables>,
    variables: Variables,
  ): Promise<Answer>;
  /** The whole answer, errors and all. */
  ask<Answer, Variables extends Record<string, unknown>>(
    document: TypedDocumentString<Answer, Variables>,
    variables: Variables,
  ): Promise<{ status: number; data?: Answer; errors?: { message: string; extensions: { code: string } }[] }>;
  /** Events as they come, on a connection of its own. Return ends it. */
  subscribe<Answer, Variables extends Record<string, unknown>>(
    document: TypedDocumentString<Answer, Variables>,
    variables: Variables,
  ): AsyncGenerator<Answer, void>;
  readonly authorization: string;
}

/**
 * Signs in at `url` as `userId`.
 *
 * @param sent with each request: further headers, and members of a socket's connection parameters
 */
export async function signIn(
  url: string,
  userId: string,
  roles: Role[] = ['user'],
  sent: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const token = await signToken(testAuthSecret, { userId, roles, plan: 'free', expiresInSeconds: 86_400 });
  const authorization = `Bearer ${token}`;

  const ask: Client['ask'] = async (document, variables) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization, ...sent },
      body: JSON.stringify({ query: document.toString(), variables }),
    });
    return { status: response.status, ...((await response.json()) as object) };
  };

  return {
    authorization,
    ask,
    async run(document, variables) {
      const answer = await ask(document, variables);
      if (answer.errors || !answer.data) throw new Error(JSON.stringify(answer));
      return answer.data;
    },
    async *subscribe(document, variables) {
      const socket = createClient({
        url: `${url.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        connectionParams: { authorization, ...sent },
        retryAttempts: 0,
      });
      try {
        const events = socket.iterate({ query: document.toString(), variables: { ...variables } });
        for await (const event of events) {
          if (event.errors || !event.data) throw new Error(JSON.stringify(event));
          yield event.data as never;
        }
      } finally {
        await socket.dispose();
      }
    },
  };
}
