import { createECDH, createHmac, type ECDH, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** A browser that subscribed: what its messages are decrypted with. */
export interface Browser {
  readonly endpoint: string;
  readonly keys: ECDH;
  readonly auth: Buffer;
}

const ID_BYTES = 16;
const SIGNATURE_BYTES = 8;

/**
 * Browsers that take Web Push here. A browser's keys follow from its id and the secret, so that subscriptions outlast a restart,
 * and nothing is kept. An id is signed: one that was made up belongs to no browser.
 */
export function createBrowsers(secret: string, providerUrl: () => string) {
  const sign = (id: Buffer): Buffer =>
    createHmac('sha256', secret).update(id).digest().subarray(0, SIGNATURE_BYTES);
  const derive = (id: Buffer, use: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, id, use, bytes));

  function open(name: string, id: Buffer): Browser {
    const keys = createECDH('prime256v1');
    keys.setPrivateKey(derive(id, 'key', 32));
    return { endpoint: `${providerUrl()}/web-push/${name}`, keys, auth: derive(id, 'auth', 16) };
  }

  return {
    /** What the page of a new browser hands to its server, as `PushSubscription.toJSON()` has it. */
    subscribe() {
      const id = randomBytes(ID_BYTES);
      const { endpoint, keys, auth } = open(Buffer.concat([id, sign(id)]).toString('base64url'), id);
      return {
        endpoint,
        expirationTime: null,
        keys: { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') },
      };
    },
    /** The browser of an endpoint's last part; undefined where none subscribed there. */
    find(name: string): Browser | undefined {
      const bytes = Buffer.from(name, 'base64url');
      const id = bytes.subarray(0, ID_BYTES);
      const signature = bytes.subarray(ID_BYTES);
      const isOurs = signature.length === SIGNATURE_BYTES && timingSafeEqual(signature, sign(id));
      return isOurs ? open(name, id) : undefined;
    },
  };
}
