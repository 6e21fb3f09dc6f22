import { expect, it } from 'vitest';
import { welcome } from '../../src/local/welcome.js';

const running = {
  apiUrl: 'http://127.0.0.1:4000',
  workerUrl: 'http://127.0.0.1:4001',
  sandboxUrl: 'http://127.0.0.1:4010',
  dataDir: '/home/ann/.tidings',
  postgresDir: '/home/ann/.tidings/postgres',
  authSecret: 'a secret of at least 32 characters',
  pages: true,
};

it.each([
  ['in the data folder', '/home/ann/.tidings/postgres'],
  ['on a server that others run', undefined],
])('one line names the data folder, where Postgres is %s', async (_, postgresDir) => {
  const text = await welcome({ ...running, postgresDir });
  expect(text).toContain('  data       /home/ann/.tidings  (logs in /home/ann/.tidings/logs)\n\n');
});

it('another line names the folder of Postgres, where that lies elsewhere', async () => {
  const text = await welcome({ ...running, postgresDir: '/var/lib/tidings/0123' });
  expect(text).toContain(
    '  data       /home/ann/.tidings  (logs in /home/ann/.tidings/logs)\n             /var/lib/tidings/0123  (Postgres',
  );
});

it('the page that leads to everything else comes first, where there are pages', async () => {
  const opened = (text: string) => /http\S+/.exec(text)?.[0];
  expect(opened(await welcome(running))).toBe('http://127.0.0.1:4000/');
  const without = await welcome({ ...running, pages: false });
  expect(opened(without)).toBe('http://127.0.0.1:4000/graphql');
  expect(without).not.toMatch(/console|graphiql/i);
});
