import { z } from 'zod';
import { type ConfigOf, declareProvider, setting } from '../declare.js';

const settings = {
  /** Scheme, host and port, e.g. `https://api.push.apple.com`. */
  url: setting('APNS_URL', z.url()),
  teamId: setting('APNS_TEAM_ID', z.string()),
  keyId: setting('APNS_KEY_ID', z.string()),
  /** The .p8 key: PEM, P-256. */
  privateKey: setting('APNS_PRIVATE_KEY', z.string()),
  /** The app's bundle identifier. */
  topic: setting('APNS_TOPIC', z.string()),
};
export type ApnsConfig = ConfigOf<typeof settings>;

export const apns = declareProvider({
  name: 'apns',
  title: 'APNs',
  sendsTo: 'ios',
  settings,
  adapter: async () => ({ create: (await import('./adapter.js')).createApns }),
  standIn: async () => (await import('./sandbox.js')).apnsStandIn,
});
