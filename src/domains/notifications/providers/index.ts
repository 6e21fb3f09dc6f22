import type { Registry } from 'prom-client';
import type { ProvidersConfig } from '../../../platform/config.js';
import type { AdapterDeps } from './adapter.js';
import { createApns } from './apns.js';
import { createCallMetrics } from './call-metrics.js';
import { createFcm } from './fcm.js';
import { type PauseOptions, withPauses } from './pausing.js';
import type { Provider } from './provider.js';
import { createSendGrid } from './sendgrid.js';
import { createSmtp } from './smtp.js';
import { createTwilio, type TwilioDeps } from './twilio.js';
import { createWebPush, pushServiceOf } from './web-push.js';

/** Whom each kind of address is sent by; an absent one is switched off. */
export interface Providers {
  readonly ios?: Provider;
  readonly android?: Provider;
  readonly web?: Provider;
  readonly email?: Provider;
  readonly sms?: Provider;
  readonly in_app?: Provider;
  /** Lets calls on their way finish, then closes every connection. */
  close(): Promise<void>;
}

export interface ProvidersDeps extends AdapterDeps, TwilioDeps {
  /** Gets `notification_provider_*`; without one nothing is measured. */
  readonly metrics?: Registry;
  /** Uniform in [0, 1): spreads the probes of many processes. */
  readonly random?: () => number;
}

/**
 * The providers that the configuration names, each left alone while it wants to be. Nothing is connected before the
 * first call.
 */
export function createProviders(config: ProvidersConfig, deps: ProvidersDeps): Providers {
  const metrics = deps.metrics && createCallMetrics(deps.metrics);

  function guarded(adapter: Provider, own: Pick<PauseOptions, 'serviceOf'> = {}): Provider {
    const { clock, random } = deps;
    const provider = withPauses(metrics?.counted(adapter) ?? adapter, {
      clock,
      ...(random && { random }),
      ...own,
    });
    metrics?.watch(provider);
    return provider;
  }

  const providers = {
    ...(config.apns && { ios: guarded(createApns(config.apns, deps)) }),
    ...(config.fcm && { android: guarded(createFcm(config.fcm, deps)) }),
    ...(config.webPush && {
      web: guarded(createWebPush(config.webPush, deps), { serviceOf: pushServiceOf }),
    }),
    ...(config.sendgrid && { email: guarded(createSendGrid(config.sendgrid, deps)) }),
    ...(config.smtp && { email: guarded(createSmtp(config.smtp, deps)) }),
    ...(config.twilio && { sms: guarded(createTwilio(config.twilio, deps)) }),
  };
  return {
    ...providers,
    close: async () => {
      await Promise.all(Object.values(providers).map((provider) => provider.close()));
    },
  };
}
