import { randomBytes } from 'node:crypto';
import type { Media } from '../types.js';

/** Widths of an image's thumbnails, in pixels (feed document, Limits). */
export const IMAGE_WIDTHS = [150, 300, 600, 1_200] as const;
/** Shorter sides of a video's renditions, in pixels (feed document, Limits). */
export const VIDEO_SIDES = [240, 480, 720, 1_080] as const;

/** The folder of uploads that are not processed yet. */
export const INCOMING = 'incoming';

const SERVED = /^(images|videos)\/[0-9a-f]{32}\/[0-9a-z]+\.(jpg|png|webp|gif|mp4)$/;
const INCOMING_KEY = /^incoming\/[0-9a-f]{32}$/;
const DAY = 86_400;

/** Names, by kind, that derived files can have; everything that a row's folder may hold. */
const files: Readonly<Record<Media['kind'], readonly string[]>> = {
  image: ['full.jpg', 'full.png', 'full.webp', 'full.gif', ...IMAGE_WIDTHS.map((width) => `${width}.webp`)],
  video: [...VIDEO_SIDES.map((side) => `${side}p.mp4`), 'thumbnail.jpg'],
};

/** Where an upload is until it is processed. 128 random bits: the key cannot be guessed. */
export const newIncomingKey = (): string => `${INCOMING}/${randomBytes(16).toString('hex')}`;

export const isIncoming = (key: string): boolean => INCOMING_KEY.test(key);

/** Whether a key names something that readers may get: never an upload as it came, never a path. */
export const isServed = (key: string): boolean => SERVED.test(key);

export const isKey = (key: string): boolean => isIncoming(key) || isServed(key);

/** The key of one derived file; the same upload's are always in the same folder. */
export const derivedKey = (kind: Media['kind'], storageKey: string, file: string): string =>
  `${kind}s/${tokenOf(storageKey)}/${file}`;

export const incomingKey = (storageKey: string): string => `${INCOMING}/${tokenOf(storageKey)}`;

/** Every key that can have been written for a row. */
export const everyKey = (kind: Media['kind'], storageKey: string): string[] => [
  incomingKey(storageKey),
  ...files[kind].map((file) => derivedKey(kind, storageKey, file)),
];

/** 30 days for images, 7 for what belongs to videos (feed document, Limits). A key's content never changes. */
export const cacheControlOf = (key: string): string =>
  `public, max-age=${(key.startsWith('images/') ? 30 : 7) * DAY}, immutable`;

const tokenOf = (storageKey: string): string => storageKey.split('/')[1] ?? '';
