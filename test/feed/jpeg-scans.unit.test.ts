import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DerivedFile } from '../../src/domains/feed/media/derive.js';
import { deriveImage } from '../../src/domains/feed/media/images.js';
import { countScans } from '../../src/domains/feed/media/jpeg-scans.js';
import { endlessJpeg, picture, SCAN } from './media-pictures.js';

const MOST = 100;
const END = Buffer.of(0xff, 0xd9);
const plain = await picture(60, 40).jpeg().toBuffer();
const progressive = await picture(60, 40).jpeg({ progressive: true }).toBuffer();

/** Bytes that look like a JPEG's more often than random ones. */
const someBytes = fc
  .array(fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.constantFrom(SCAN, END, Buffer.of(0xff), plain)))
  .map((parts) => Buffer.concat(parts));

/** A segment of that marker around some bytes. */
const segment = (marker: number, bytes: Buffer): Buffer => {
  const head = Buffer.of(0xff, marker, 0, 0);
  head.writeUInt16BE(bytes.length + 2, 2);
  return Buffer.concat([head, bytes]);
};
/** The picture with something between its first marker and the rest, or before its end. */
const beginning = (bytes: Buffer) => Buffer.concat([plain.subarray(0, 2), bytes, plain.subarray(2)]);
const ending = (bytes: Buffer) => Buffer.concat([plain.subarray(0, -2), bytes, END]);

it('a plain picture is drawn once, a progressive one several times', () => {
  expect(countScans(plain, MOST)).toBe(1);
  expect(countScans(progressive, MOST)).toBeGreaterThan(3);
  expect(countScans(progressive, MOST)).toBeLessThan(20);
});

it('whatever stands behind the end of a picture does not count', () => {
  fc.assert(
    fc.property(fc.boolean(), someBytes, (isPlain, trailer) => {
      const jpeg = isPlain ? plain : progressive;
      expect(countScans(Buffer.concat([jpeg, trailer]), MOST)).toBe(countScans(jpeg, MOST));
    }),
  );
});

it('what is in a segment, such as a preview, does not count', () => {
  fc.assert(
    fc.property(someBytes, fc.constantFrom(0xe0, 0xe1, 0xe2, 0xef, 0xfe), (bytes, marker) => {
      expect(countScans(beginning(segment(marker, bytes.subarray(0, 65_000))), MOST)).toBe(1);
    }),
  );
});

it('a picture that is cut short anywhere has no more scans than the whole, and no bytes fail', () => {
  for (let length = 0; length <= progressive.length; length += 1)
    expect(countScans(progressive.subarray(0, length), MOST)).toBeLessThanOrEqual(
      countScans(progressive, MOST),
    );
  fc.assert(
    fc.property(someBytes, (bytes) => {
      expect(countScans(bytes, MOST)).toBeLessThanOrEqual(MOST + 1);
      expect(countScans(beginning(bytes), MOST)).toBeLessThanOrEqual(MOST + 1);
    }),
  );
});

it('every scan before the end counts, whatever stands between them, up to one more than are allowed', () => {
  const others = fc.constantFrom(
    // Compressed data: a stuffed zero, restarts, and bytes that fill.
    Buffer.of(1, 0xff, 0, 2, 0xff, 0xd0, 3, 0xff, 0xd7, 4, 0xff, 0xff, 0xff),
    // A decoder that looks for a restart passes over these two bytes alone.
    Buffer.of(0xff, 0x02, 0xff, 0x00),
    Buffer.of(0xff, 0xbf, 0xff, 0x00),
    // A segment without a length has its two bytes alone.
    Buffer.of(0xff, 0xe1, 0, 0),
    segment(0xc4, Buffer.alloc(20)),
  );
  fc.assert(
    fc.property(fc.array(others, { maxLength: 150 }), (all) => {
      const jpeg = ending(Buffer.concat(all.flatMap((other) => [other, SCAN])));
      expect(countScans(jpeg, MOST)).toBe(Math.min(MOST + 1, 1 + all.length));
    }),
  );
});

async function outcomeOf(jpeg: Buffer): Promise<string[]> {
  const names: string[] = [];
  const keep = async ({ name }: DerivedFile) => void names.push(name);
  await deriveImage(jpeg, keep, new AbortController().signal);
  return names;
}

it('a photo with a video behind it, as phones take them, comes like any other', async () => {
  const video = Buffer.concat(Array.from({ length: 200 }, () => Buffer.of(0, 0, 0xff, 0xda, 7)));
  expect(await outcomeOf(Buffer.concat([plain, video]))).toEqual(['full', '150']);
  expect(await outcomeOf(Buffer.concat([progressive, video]))).toEqual(['full', '150']);
});

it('a photo that is drawn a thousand times over is refused', async () => {
  await expect(outcomeOf(await endlessJpeg())).rejects.toMatchObject({ reason: 'IMAGE_TOO_LARGE' });
});
