import { createDecipheriv, hkdfSync } from 'node:crypto';
import type { Browser } from './sandbox-browsers.js';

const SALT_BYTES = 16;
const PUBLIC_KEY_BYTES = 65;
const HEADER_BYTES = SALT_BYTES + 4 + 1 + PUBLIC_KEY_BYTES;
const TAG_BYTES = 16;
/** What follows the text of the last record (RFC 8188); before it, the text. */
const LAST_RECORD = 2;

/**
 * What a browser reads from a message (RFC 8291): one record of aes128gcm.
 *
 * @throws Error where the browser could not read it either
 */
export function decrypt(body: Buffer, browser: Browser): Buffer {
  if (body.length < HEADER_BYTES + TAG_BYTES + 1) throw new Error('too short');
  const salt = body.subarray(0, SALT_BYTES);
  const recordSize = body.readUInt32BE(SALT_BYTES);
  const sender = body.subarray(HEADER_BYTES - PUBLIC_KEY_BYTES, HEADER_BYTES);
  if (body.readUInt8(SALT_BYTES + 4) !== PUBLIC_KEY_BYTES) throw new Error('no key of the sender');
  const record = body.subarray(HEADER_BYTES);
  if (record.length > recordSize) throw new Error('more than one record');

  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.keys.getPublicKey(), sender]);
  const shared = hkdf(browser.keys.computeSecret(sender), browser.auth, info, 32);
  const key = hkdf(shared, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = hkdf(shared, salt, Buffer.from('Content-Encoding: nonce\0'), 12);

  const cipher = createDecipheriv('aes-128-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAuthTag(record.subarray(-TAG_BYTES));
  const padded = Buffer.concat([cipher.update(record.subarray(0, -TAG_BYTES)), cipher.final()]);
  let end = padded.length - 1;
  while (padded[end] === 0) end -= 1;
  if (padded[end] !== LAST_RECORD) throw new Error('no end of the last record');
  return padded.subarray(0, end);
}

const hkdf = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));
