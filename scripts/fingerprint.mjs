import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** What is made of sources, or installed: a change of it changes nothing that is built. */
const MADE = new Set(['generated', 'node_modules', 'dist']);

/** Whether the fingerprint in a file is that of the sources as they are now. */
export const isMadeFrom = (mark, sources) =>
  existsSync(mark) && readFileSync(mark, 'utf8') === fingerprint(sources);

/** One text for the names and contents of files and folders, given from the root on. */
export function fingerprint(sources) {
  const hash = createHash('sha256');
  for (const source of sources) addTo(hash, source);
  return hash.digest('hex');
}

function addTo(hash, name) {
  const file = path.join(root, name);
  if (MADE.has(path.basename(name)) || !existsSync(file)) return;
  if (!statSync(file).isDirectory()) hash.update(`${name}\0`).update(readFileSync(file));
  else for (const entry of readdirSync(file).sort()) addTo(hash, `${name}/${entry}`);
}
