import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** A picture that is left red and right blue. */
export function picture(width: number, height: number) {
  const half = { width: Math.ceil(width / 2), height, channels: 3, background: 'blue' } as const;
  return sharp({ create: { width, height, channels: 3, background: 'red' } }).composite([
    { input: { create: half }, left: Math.floor(width / 2), top: 0 },
  ]);
}

/** As a phone writes it: lying on its side, with the place where it was taken. */
export const photograph = (width: number, height: number): Promise<Buffer> =>
  picture(width, height)
    .jpeg()
    .withExif({
      IFD0: { Make: 'Acme', Orientation: '6' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100', GPSLongitudeRef: 'W' },
    })
    .withMetadata({ orientation: 6 })
    .toBuffer();

/** The header of one more scan of a JPEG, without data. */
export const SCAN = Buffer.of(0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0);

/** Drawn a thousand times over. */
export async function endlessJpeg(): Promise<Buffer> {
  const jpeg = await picture(20, 20).jpeg().toBuffer();
  return Buffer.concat([
    jpeg.subarray(0, -2),
    ...Array.from({ length: 1_000 }, () => SCAN),
    jpeg.subarray(-2),
  ]);
}

/** A PNG of a few bytes whose header claims any size. */
export function pngClaiming(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(64))), chunk('IEND')];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}
