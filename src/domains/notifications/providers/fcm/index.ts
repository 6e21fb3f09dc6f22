import { z } from 'zod';
import { type ConfigOf, declareProvider, setting } from '../declare.js';

const settings = {
  url: setting('FCM_URL', z.url()),
  projectId: setting('FCM_PROJECT_ID', z.string()),
  clientEmail: setting('FCM_CLIENT_EMAIL', z.string()),
  /** PEM, RSA. */
  privateKey: setting('FCM_PRIVATE_KEY', z.string()),
  /** Where the OAuth 2.0 token is asked for. */
  tokenUrl: setting('FCM_TOKEN_URL', z.url()),
};
export type FcmConfig = ConfigOf<typeof settings>;

export const fcm = declareProvider({
  name: 'fcm',
  title: 'FCM',
  sendsTo: 'android',
  settings,
  adapter: async () => ({ create: (await import('./adapter.js')).createFcm }),
  standIn: async () => (await import('./sandbox.js')).fcmStandIn,
});
