import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

/** Where only whoever may change the program itself can write: what lies there is run. */
const COMPILED = fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url));

/**
 * Starts a process that is to run for long. What it compiles is kept on disk for the next start, where that can be written;
 * `NODE_COMPILE_CACHE` names another folder. And while it starts, V8's young generation stays small: nearly all that is
 * made then stays, and a larger one would be kept for good. It grows as it always does from then on.
 */
export async function startSmall<T>(start: () => Promise<T>): Promise<T> {
  enableCompileCache(process.env.NODE_COMPILE_CACHE ?? COMPILED);
  setFlagsFromString('--semi-space-growth-factor=1');
  try {
    return await start();
  } finally {
    setFlagsFromString('--semi-space-growth-factor=2');
    // A process that is killed leaves it too.
    flushCompileCache();
  }
}
