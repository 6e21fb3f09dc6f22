import { useEffect, useRef, useState } from 'react';
import { newKey } from '../../common/idempotency-key.js';
import { useKept } from './kept.js';
import { MAX_MEDIA } from './limits.js';
import { UploadFault, upload } from './upload.js';

/** A file that was uploaded: it is there again after a reload. */
export interface Attached {
  readonly key: string;
  readonly mediaId: string;
  readonly name: string;
  readonly kind: 'image' | 'video';
}

/** A file on its way, or one that was refused. */
export interface Upload {
  readonly key: string;
  readonly name: string;
  readonly done: number;
  readonly fault?: { readonly code: string; readonly message: string };
}

const NONE: readonly Attached[] = [];

/** The pictures and videos of a post that is being written; each is uploaded as soon as it is chosen. */
export function useAttachments(draft: string) {
  const [attached, keep] = useKept<readonly Attached[]>(`${draft}.media`, NONE);
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const [previews] = useState(() => new Map<string, string>());
  const [files] = useState(() => new Map<string, File>());
  const [controllers] = useState(() => new Map<string, AbortController>());
  const current = useRef(attached);
  current.current = attached;

  useEffect(
    () => () => {
      for (const url of previews.values()) URL.revokeObjectURL(url);
      for (const controller of controllers.values()) controller.abort();
    },
    [previews, controllers],
  );

  const change = (key: string, to: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...to } : one)));
  const drop = (key: string) => setUploads((all) => all.filter((one) => one.key !== key));

  async function send(key: string, file: File): Promise<void> {
    const controller = new AbortController();
    controllers.set(key, controller);
    try {
      const { mediaId, kind } = await upload(file, (done) => change(key, { done }), controller.signal);
      current.current = [...current.current, { key, mediaId, name: file.name, kind }];
      keep(current.current);
      drop(key);
    } catch (error) {
      if (error instanceof UploadFault) change(key, { fault: { code: error.code, message: error.message } });
      else drop(key);
    }
  }

  /** @returns how many found no place */
  function add(chosen: readonly File[]): number {
    const free = MAX_MEDIA - attached.length - uploads.length;
    const taken = chosen.slice(0, Math.max(0, free)).map((file) => ({ key: newKey(), file }));
    for (const { key, file } of taken) {
      files.set(key, file);
      previews.set(key, URL.createObjectURL(file));
    }
    setUploads((all) => [...all, ...taken.map(({ key, file }) => ({ key, name: file.name, done: 0 }))]);
    for (const { key, file } of taken) void send(key, file);
    return chosen.length - taken.length;
  }

  return {
    attached,
    uploads,
    isUploading: uploads.some(({ fault }) => !fault),
    add,
    remove(key: string) {
      controllers.get(key)?.abort();
      drop(key);
      current.current = current.current.filter((one) => one.key !== key);
      keep(current.current);
    },
    retry(key: string) {
      const file = files.get(key);
      if (!file) return;
      setUploads((all) => all.map((one) => (one.key === key ? { key, name: one.name, done: 0 } : one)));
      void send(key, file);
    },
    clear() {
      setUploads([]);
      keep(NONE);
    },
    /** Where a file can be seen before the API has made its renditions. */
    previewOf: (key: string) => previews.get(key),
  };
}
