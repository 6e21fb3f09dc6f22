import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { createClient } from '../../src/platform/postgres/clients.js';
import { openPostgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase } from '../support/database.js';

const options = { max: 3, applicationName: 'connecting', onError: () => undefined };

/** The names of what a connection asks for before it is there. */
async function parametersOf(connect: (url: string) => Promise<unknown>): Promise<string[]> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const parameters: string[][] = [];
  server.on('connection', (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (bytes: Buffer) => {
      const texts = bytes.subarray(8).toString().split('\0');
      parameters.push(texts.filter((text, index) => index % 2 === 0 && text !== ''));
      socket.destroy();
    });
  });
  await connect(`postgres://someone@127.0.0.1:${(server.address() as AddressInfo).port}/data`).catch(
    () => undefined,
  );
  server.close();
  return parameters[0]!;
}

it('nothing is asked for at the start that PgBouncer would refuse', async () => {
  const pooled = await parametersOf(async (url) => {
    const postgres = openPostgres(url, options);
    await postgres.query('SELECT').finally(() => postgres.close());
  });
  const single = await parametersOf((url) => createClient(url, { applicationName: 'connecting' }).connect());
  for (const parameters of [pooled, single])
    expect(parameters.sort()).toEqual(['application_name', 'client_encoding', 'database', 'user']);
});

it('a transaction that is left idle ends on every connection, which reports it once', async () => {
  const database = await createTestDatabase();
  const postgres = openPostgres(database.url, options);
  const statements: string[] = [];
  postgres.pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      statements.push(JSON.stringify(args[0]));
      return query(...args);
    }) as typeof client.query;
  });
  try {
    const show = 'SHOW idle_in_transaction_session_timeout';
    const settings = await Promise.all([
      postgres.query(show),
      postgres.transaction((tx) => tx.query(show)),
      postgres.transaction(async (tx) => {
        await tx.query('SET LOCAL lock_timeout = 1');
        return tx.query(show);
      }),
    ]);
    for (const { rows } of settings) expect(rows).toEqual([{ idle_in_transaction_session_timeout: '15s' }]);
    for (let n = 0; n < 5; n += 1) await postgres.query(show);
    expect(statements.filter((text) => text.includes('SET idle'))).toEqual([]);
  } finally {
    await postgres.close();
    await database.drop();
  }
});
