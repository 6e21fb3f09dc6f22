import type { Media } from '../types.js';

/** What is needed of a file to tell its type. */
export const HEAD_BYTES = 4_100;

const kinds: Readonly<Record<string, Media['kind']>> = {
  'image/jpeg': 'image',
  'image/png': 'image',
  'image/apng': 'image',
  'image/webp': 'image',
  'image/gif': 'image',
  'image/avif': 'image',
  'video/mp4': 'video',
  'video/webm': 'video',
  'video/quicktime': 'video',
};

export interface Content {
  readonly kind: Media['kind'];
  readonly contentType: string;
}

/** What a file is by its first bytes, whatever its sender calls it; null where it is nothing that is taken. */
export async function tellContent(head: Uint8Array): Promise<Content | null> {
  const { fileTypeFromBuffer } = await import('file-type');
  const contentType = (await fileTypeFromBuffer(head))?.mime;
  const kind = contentType === undefined ? undefined : kinds[contentType];
  return contentType === undefined || kind === undefined ? null : { kind, contentType };
}
