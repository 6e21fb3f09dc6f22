import { expect, it, vi } from 'vitest';
import { openPostgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase } from '../support/database.js';

it('an idle connection that breaks is reported, without what it was asked before', async () => {
  const database = await createTestDatabase();
  const told: Error[] = [];
  const options = { max: 1, applicationName: 'idle', onError: (error: Error) => told.push(error) };
  const [idle, other] = [openPostgres(database.url, options), openPostgres(database.url, options)];
  try {
    await idle.query({ name: 'asked', text: `SELECT 'a statement of the past'` }, []);
    const { rows } = await idle.query<{ pid: number }>(
      { name: 'who', text: 'SELECT pg_backend_pid() AS pid' },
      [],
    );
    await other.query({ name: 'end', text: 'SELECT pg_terminate_backend($1)' }, [rows[0]!.pid]);
    await vi.waitFor(() => expect(told).toHaveLength(1), 5_000);
    expect(JSON.stringify(told)).not.toContain('a statement of the past');
    expect(Object.keys(told[0]!)).not.toContain('client');
  } finally {
    await Promise.all([idle.close(), other.close()]);
    await database.drop();
  }
});
