import { chmodSync, existsSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Lets `npx tidings` find this package's own command: npm links only those of dependencies. */
export function linkCommand() {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const target = path.join(root, 'dist', 'main.js');
  const link = path.join(root, 'node_modules', '.bin', 'tidings');
  if (existsSync(target)) chmodSync(target, 0o755);
  try {
    symlinkSync(path.join('..', '..', 'dist', 'main.js'), link);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}
