import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { INCOMING, isKey } from './keys.js';
import type { MediaStore } from './store.js';

/** Files in a folder that every process of the installation sees. */
export function createDiskStore(dir: string): MediaStore {
  const root = path.resolve(dir);
  function fileOf(key: string): string {
    if (!isKey(key)) throw new RangeError(`not a key of a media file: ${key}`);
    return path.join(root, key);
  }
  /** An upload's folder goes with its last file. The one where all come in stays: another may be just about to. */
  async function removeEmpty(files: readonly string[]): Promise<void> {
    const folders = new Set(files.map((file) => path.dirname(file)));
    folders.delete(path.join(root, INCOMING));
    for (const folder of folders) await rmdir(folder).catch(unlessInUse);
  }
  return {
    async put(key, body) {
      const file = fileOf(key);
      const part = partOf(file);
      await mkdir(path.dirname(file), { recursive: true });
      try {
        // Written out before it gets its name: what has a name is whole, also after a power cut.
        await pipeline(body, createWriteStream(part, { flush: true }));
        await rename(part, file);
      } catch (error) {
        await rm(part, { force: true });
        await removeEmpty([file]);
        throw error;
      }
      await syncFolder(path.dirname(file));
    },

    async get(key) {
      const handle = await open(fileOf(key));
      return createReadStream('', { fd: handle });
    },

    async remove(keys) {
      const files = keys.map(fileOf);
      for (const file of files) {
        await rm(file, { force: true });
        await rm(partOf(file), { force: true });
      }
      await removeEmpty(files);
    },
  };
}

const partOf = (file: string): string => `${file}.part`;

function unlessInUse(error: NodeJS.ErrnoException): void {
  if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code ?? '')) throw error;
}

/** The name too survives a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
