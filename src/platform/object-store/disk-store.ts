import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ObjectStore } from './store.js';

/**
 * Files in a folder that every process of the installation sees.
 *
 * @param keys.isKey what else is asked for is refused, a path above all
 * @param keys.keeps folders that stay when their last file goes
 */
export function createDiskStore(
  dir: string,
  { isKey, keeps = [] }: { readonly isKey: (key: string) => boolean; readonly keeps?: readonly string[] },
): ObjectStore {
  const root = path.resolve(dir);
  function fileOf(key: string): string {
    if (!isKey(key)) throw new RangeError(`not a key of this store: ${key}`);
    return path.join(root, key);
  }
  /** What puts of these files have written so far, or had when they were killed. */
  async function partsOf(files: readonly string[]): Promise<string[]> {
    const names = new Set(files.map((file) => path.basename(file)));
    const folders = [...new Set(files.map((file) => path.dirname(file)))];
    const entries = await Promise.all(
      folders.map(async (folder) =>
        (await readdir(folder).catch(noneIfGone)).map((name) => path.join(folder, name)),
      ),
    );
    return entries.flat().filter((entry) => {
      const named = PART.exec(path.basename(entry))?.[1];
      return named !== undefined && names.has(named);
    });
  }
  /** A folder goes with its last file, unless others may be just about to come into it. */
  async function removeEmpty(files: readonly string[]): Promise<void> {
    const folders = new Set(files.map((file) => path.dirname(file)));
    for (const kept of keeps) folders.delete(path.join(root, kept));
    for (const folder of folders) await rmdir(folder).catch(unlessInUse);
  }
  return {
    async put(key, body) {
      const file = fileOf(key);
      // A name of its own: a run that was only thought dead may be putting the same file.
      const part = `${file}.${randomUUID()}.part`;
      const created = await mkdir(path.dirname(file), { recursive: true });
      try {
        // Written out before it gets its name: what has a name is whole, also after a power cut.
        await pipeline(body, createWriteStream(part, { flush: true }));
        await rename(part, file);
      } catch (error) {
        await rm(part, { force: true });
        await removeEmpty([file]);
        throw error;
      }
      // So do the names of the folders that were made for it.
      const last = path.dirname(created ?? file);
      for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
        await syncFolder(folder);
        if (folder === last) break;
      }
    },

    async get(key) {
      const handle = await open(fileOf(key));
      return createReadStream('', { fd: handle });
    },

    async remove(keys) {
      const files = keys.map(fileOf);
      for (const file of [...files, ...(await partsOf(files))]) await rm(file, { force: true });
      await removeEmpty(files);
    },
  };
}

/** The file in the making, and the run that makes it. */
const PART = /^(.+)\.[0-9a-f-]{36}\.part$/;

function unlessInUse(error: NodeJS.ErrnoException): void {
  if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code ?? '')) throw error;
}

function noneIfGone(error: NodeJS.ErrnoException): string[] {
  if (error.code !== 'ENOENT') throw error;
  return [];
}

/** The name too survives a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
