import { Readable } from 'node:stream';
import type { Metadata, Sharp } from 'sharp';
import { type Keep, MAX_PIXELS, Underivable } from './derive.js';
import { countScans } from './jpeg-scans.js';
import { IMAGE_WIDTHS } from './keys.js';

/** The limit of WebP. */
const LONGEST_SIDE = 16_383;
const SECONDS_A_FILE = 60;
/** A progressive JPEG has about ten. Each is as much work as the whole picture, and no timeout ends it before the last. */
const MOST_SCANS = 100;

const formats = {
  jpeg: {
    extension: 'jpg',
    contentType: 'image/jpeg',
    encode: (image: Sharp) => image.jpeg({ quality: 90 }),
  },
  png: { extension: 'png', contentType: 'image/png', encode: (image: Sharp) => image.png() },
  webp: {
    extension: 'webp',
    contentType: 'image/webp',
    encode: (image: Sharp) => image.webp({ quality: 90 }),
  },
  gif: { extension: 'gif', contentType: 'image/gif', encode: (image: Sharp) => image.gif() },
} as const;
type Format = (typeof formats)[keyof typeof formats];

/**
 * Makes of an image the image itself, upright and without metadata (places, cameras, previews), and its thumbnails as
 * WebP, never enlarged. Animations stay animated in the image; thumbnails show one frame. AVIF becomes WebP, since
 * encoding AVIF takes many times as long.
 *
 * @throws Underivable IMAGE_TOO_LARGE, IMAGE_UNREADABLE
 */
export async function deriveImage(bytes: Buffer, keep: Keep, signal: AbortSignal): Promise<void> {
  if (countScans(bytes, MOST_SCANS) > MOST_SCANS) throw new Underivable('IMAGE_TOO_LARGE');
  const sharp = await openSharp();
  const options = { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true } as const;
  // The header alone is read before the size is known; the height is that of all frames.
  const facts = await readable(
    sharp(bytes, { ...options, limitInputPixels: false, animated: true }).metadata(),
  );
  if (facts.width * facts.height > MAX_PIXELS) throw new Underivable('IMAGE_TOO_LARGE');

  const full = formatOf(facts);
  const upright = (animated: boolean): Sharp => {
    const image = sharp(bytes, { ...options, animated });
    return animated ? image : image.autoOrient();
  };
  await keepOne('full', upright(facts.pageHeight !== undefined), LONGEST_SIDE, full);
  for (const width of widthsOf(facts.autoOrient.width)) {
    signal.throwIfAborted();
    await keepOne(String(width), upright(false), width, formats.webp);
  }

  async function keepOne(name: string, image: Sharp, width: number, format: Format): Promise<void> {
    const inside = { width, height: LONGEST_SIDE, fit: 'inside', withoutEnlargement: true } as const;
    const encoded = format.encode(image.resize(inside)).timeout({ seconds: SECONDS_A_FILE });
    const { data, info } = await readable(encoded.toBuffer({ resolveWithObject: true }));
    const height = info.pageHeight ?? info.height;
    const { extension, contentType } = format;
    await keep({
      name,
      extension,
      contentType,
      width: info.width,
      height,
      open: () => Readable.from([data]),
    });
  }
}

let opening: Promise<typeof import('sharp').default> | undefined;

/** Loaded with the first image: an api decodes none. It reads the types that are taken and no others. */
function openSharp() {
  opening ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({
      operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((type) => `VipsForeignLoad${type}`),
    });
    return sharp;
  });
  return opening;
}

/** None that enlarges; for a smaller image, the smallest. */
const widthsOf = (width: number): readonly number[] =>
  IMAGE_WIDTHS.filter((one, index) => index === 0 || one <= width);

const formatOf = ({ format }: Metadata): Format =>
  Object.hasOwn(formats, format) ? formats[format as keyof typeof formats] : formats.webp;

const readable = <T>(decoding: Promise<T>): Promise<T> =>
  decoding.catch((cause: unknown) => {
    throw new Underivable('IMAGE_UNREADABLE', { cause });
  });
