import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { DerivedFile } from './derive.js';
import { deriveImage } from './images.js';
import { cacheControlOf, derivedKey } from './keys.js';
import type { StoredRendition } from './media.js';
import type { Claim } from './process.js';
import type { MediaStore } from './store.js';
import { deriveVideo } from './videos.js';

/** The files that were made of an upload, all of them in the store. */
export interface Made {
  /** The file behind `url`: the image itself; a video's largest rendition. */
  readonly served: { readonly key: string; readonly width: number; readonly height: number };
  /** Smallest first; a video's picture before them. */
  readonly renditions: readonly StoredRendition[];
}

/**
 * Makes the files of an upload and puts each into the store, under keys that are the same each time.
 *
 * @throws Underivable
 */
export async function makeFiles(
  { store, maxVideoSeconds }: { readonly store: MediaStore; readonly maxVideoSeconds: number },
  claim: Claim,
  signal: AbortSignal,
): Promise<Made> {
  const { kind, storage_key: storageKey } = claim;
  const made: (StoredRendition & Made['served'])[] = [];
  async function keep(file: DerivedFile): Promise<void> {
    signal.throwIfAborted();
    const { name, width, height, contentType } = file;
    const key = derivedKey(kind, storageKey, `${name}.${file.extension}`);
    await store.put(key, file.open(), { contentType, cacheControl: cacheControlOf(key) });
    made.push({ name, width, height, key });
  }
  if (kind === 'image') {
    await deriveImage(await buffer(await store.get(storageKey)), keep, signal);
    const [full, ...renditions] = made;
    return { served: full!, renditions };
  }
  await withCopy(store, claim, (file, folder) =>
    deriveVideo(
      { file, contentType: claim.content_type },
      { folder, maxSeconds: maxVideoSeconds },
      keep,
      signal,
    ),
  );
  return { served: made.at(-1)!, renditions: made };
}

/**
 * Copies an upload to where programs can read it. The folder has the run's name: the next run removes what a killed one
 * left, and a run that was wrongly taken for dead removes only its own.
 */
async function withCopy(
  store: MediaStore,
  { media_id: mediaId, storage_key: storageKey, attempts }: Claim,
  work: (file: string, folder: string) => Promise<void>,
): Promise<void> {
  const folderOf = (run: number): string => path.join(os.tmpdir(), `tidings-media-${mediaId}-${run}`);
  const folder = folderOf(attempts);
  for (let run = 1; run <= attempts; run += 1) await rm(folderOf(run), { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  try {
    const file = path.join(folder, 'upload');
    await pipeline(await store.get(storageKey), createWriteStream(file));
    await work(file, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
