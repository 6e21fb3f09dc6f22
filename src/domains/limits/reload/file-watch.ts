import { type FSWatcher, watch } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Editors and deployments take several steps to replace a file: it is looked at when they seem to be through. */
const SETTLE_MS = 100;
/** In a folder that never comes to rest the file is looked at nevertheless. */
const LONGEST_SETTLE_MS = 1_000;

/**
 * Reports when a file has changed, was replaced, removed or has come back. A hint: some file systems report nothing.
 *
 * Watches the folders and not the file: a rename over a file leaves a watched one behind, nameless. A
 * symlink is watched where it lies and where it leads, which covers Kubernetes's swap of `..data`.
 *
 * @param onBlind the folder cannot be watched; called once until it can be again
 */
export function watchFile(
  path: string,
  options: { readonly onChange: () => void; readonly onBlind: (error: Error) => void },
) {
  let watchers: FSWatcher[] = [];
  let seen = '';
  let blind = false;
  let closed = false;
  let settling: NodeJS.Timeout | undefined;
  let stirredAt: number | undefined;

  /** Watches from now on, and takes the file as it is now for seen. To be repeated now and then: folders are replaced too. */
  async function arm(): Promise<void> {
    const target = await realpath(path).catch(() => path);
    if (closed) return;
    const before = watchers;
    try {
      watchers = [];
      for (const folder of new Set([dirname(path), dirname(target)])) watchers.push(watchFolder(folder));
      blind = false;
    } catch (error) {
      if (!blind) options.onBlind(error as Error);
      blind = true;
    }
    for (const watcher of before) watcher.close();
    seen = await fingerprint(path);
  }

  function watchFolder(folder: string): FSWatcher {
    const watcher = watch(folder, { persistent: false }, stir);
    // The folder itself is going: what becomes of the file is seen by looking.
    watcher.on('error', stir);
    return watcher;
  }

  function stir(): void {
    if (closed) return;
    const now = performance.now();
    stirredAt ??= now;
    clearTimeout(settling);
    settling = setTimeout(() => void look(), Math.min(SETTLE_MS, stirredAt + LONGEST_SETTLE_MS - now));
    settling.unref();
  }

  async function look(): Promise<void> {
    stirredAt = undefined;
    const now = await fingerprint(path);
    if (!closed && now !== seen) options.onChange();
  }

  return {
    arm,
    close(): void {
      closed = true;
      clearTimeout(settling);
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** Differs whenever the file was written or replaced, so that its neighbours' doings cost no reading. */
async function fingerprint(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(':');
  } catch {
    return 'absent';
  }
}
