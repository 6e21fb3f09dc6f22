import type { ProvidersConfig } from '../../../platform/config.js';
import { createApns } from './apns.js';
import { createFcm } from './fcm.js';
import type { Provider } from './provider.js';
import { createSendGrid, type SendGridDeps } from './sendgrid.js';
import { createTwilio, type TwilioDeps } from './twilio.js';

/** Whom each kind of address is sent by; an absent one is switched off. */
export interface Providers {
  readonly ios?: Provider;
  readonly android?: Provider;
  readonly email?: Provider;
  readonly sms?: Provider;
  /** Lets calls on their way finish, then closes every connection. */
  close(): Promise<void>;
}

/** The providers that the configuration names. Nothing is connected before the first call. */
export function createProviders(config: ProvidersConfig, deps: TwilioDeps & SendGridDeps): Providers {
  const providers = {
    ...(config.apns && { ios: createApns(config.apns, deps) }),
    ...(config.fcm && { android: createFcm(config.fcm, deps) }),
    ...(config.sendgrid && { email: createSendGrid(config.sendgrid, deps) }),
    ...(config.twilio && { sms: createTwilio(config.twilio, deps) }),
  };
  return {
    ...providers,
    close: async () => {
      await Promise.all(Object.values(providers).map((provider) => provider.close()));
    },
  };
}
