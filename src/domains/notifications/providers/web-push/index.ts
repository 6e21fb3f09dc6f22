import { createECDH } from 'node:crypto';
import { z } from 'zod';
import { type ConfigOf, declareProvider, setting } from '../declare.js';

/** Bytes of an uncompressed point of P-256, and of the number that is its private key. */
const PUBLIC_BYTES = 65;
const PRIVATE_BYTES = 32;

const base64url = (bytes: number) =>
  z
    .string()
    .refine(
      (text) => /^[\w-]+$/.test(text) && Buffer.from(text, 'base64url').length === bytes,
      `must be ${bytes} bytes in base64url`,
    );

const hostList = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((host) => host.trim().toLowerCase())
      .filter((host) => host !== ''),
  );

const settings = {
  /** VAPID: the application server's key pair, and whom a push service may write to. */
  publicKey: setting('VAPID_PUBLIC_KEY', base64url(PUBLIC_BYTES)),
  privateKey: setting('VAPID_PRIVATE_KEY', base64url(PRIVATE_BYTES)),
  subject: setting(
    'VAPID_SUBJECT',
    z.string().regex(/^(mailto:|https:\/\/)./, 'must start with mailto: or https://'),
  ),
  /** Besides the known push services, hosts (with their port where it is not 443) that subscriptions may name. */
  hosts: setting('WEB_PUSH_HOSTS', hostList),
};
export type WebPushConfig = ConfigOf<typeof settings>;

export const webPush = declareProvider({
  name: 'web-push',
  title: 'Web Push',
  sendsTo: 'web',
  settings,
  check: (config) => (isPair(config) ? undefined : 'VAPID_PRIVATE_KEY does not belong to VAPID_PUBLIC_KEY'),
  async adapter() {
    const { createWebPush, pushServiceOf } = await import('./adapter.js');
    return { create: createWebPush, serviceOf: pushServiceOf };
  },
  standIn: async () => (await import('./sandbox.js')).webPushStandIn,
});

/** Where one of the keys is absent, nothing is wrong with the other. */
function isPair({ publicKey, privateKey }: Partial<WebPushConfig>): boolean {
  if (publicKey === undefined || privateKey === undefined) return true;
  const pair = createECDH('prime256v1');
  try {
    pair.setPrivateKey(privateKey, 'base64url');
  } catch {
    return false;
  }
  return pair.getPublicKey().equals(Buffer.from(publicKey, 'base64url'));
}
