// Completes what tsc wrote: copies everything in src/ that is not TypeScript to the same place in dist/,
// and removes what no source stands behind any more.
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { linkCommand } from './link-command.mjs';

const files = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));

/** Built for browsers by a script of its own. */
const elsewhere = ['web'];

for (const file of files('src')) {
  if (!file.endsWith('.ts')) cpSync(path.join('src', file), path.join('dist', file));
}
for (const file of files('dist')) {
  const made = file.replace(/\.js(\.map)?$/, '');
  const isOurs = path.basename(file).startsWith('.') || elsewhere.includes(file.split(path.sep)[0]);
  const hasSource = existsSync(path.join('src', file)) || existsSync(path.join('src', `${made}.ts`));
  if (!isOurs && !hasSource) rmSync(path.join('dist', file));
}
linkCommand();
