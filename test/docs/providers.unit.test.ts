import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { callbackPath, channels, providers } from '../../src/domains/notifications/index.js';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const guide = read('docs/providers.md');

it('docs/providers.md has a row for every provider, and no other', () => {
  const [table = ''] = /^\| provider .*?\n\n/ms.exec(guide) ?? [];
  const rows = [...table.matchAll(/^\| `([\w-]+)` /gm)].map(([, name]) => name);
  expect(rows.toSorted()).toEqual(providers.map(({ name }) => name).toSorted());
});

it('docs/providers.md names the channels and providers that the sandbox has', () => {
  const [, named = '', rest = ''] =
    /^A fault names a `channel` \(([^)]*)\).*?\(([^)]*)\)/ms.exec(guide) ?? [];
  const words = (text: string) => [...text.matchAll(/`([\w-]+)`/g)].map(([, word]) => word);
  const played = providers.filter(({ standIn }) => standIn);
  expect(words(named).toSorted()).toEqual([...new Set(played.map(({ channel }) => channel))].toSorted());
  expect(words(rest).toSorted()).toEqual(played.map(({ name }) => name).toSorted());
});

describe.each(providers.filter(({ callback }) => callback))('callbacks of $name', ({ name }) => {
  it('are in the guides to tracking and to REST paths', () => {
    expect(read('docs/tracking.md')).toContain(`\`${callbackPath(name)}\``);
    expect(/^\| `POST \/api\/v1\/callbacks\/.*$/m.exec(read('docs/rest.md'))?.[0]).toContain(`/${name}\``);
  });

  it.each(['default', 'start'])('have a limit of their own in %s.yaml', (rules) => {
    expect(read(`rules/${rules}.yaml`)).toContain(`POST ${callbackPath(name)}`);
  });
});

it('docs/rest.md names every channel', () => {
  const row = /^\| `POST \/api\/v1\/notifications`.*$/m.exec(read('docs/rest.md'))?.[0];
  for (const channel of channels) expect(row).toContain(`\`${channel}\``);
});
