import type { Media } from '../types.js';

/** The part of a file by which its type is found. */
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

/** A file's type by its first bytes, whatever its sender calls it; null where the type is not accepted. */
export async function detectContent(head: Uint8Array): Promise<Content | null> {
  const { fileTypeFromBuffer } = await import('file-type');
  const contentType = (await fileTypeFromBuffer(head))?.mime;
  const kind = contentType === undefined ? undefined : kinds[contentType];
  return contentType === undefined || kind === undefined ? null : { kind, contentType };
}
