import type { Registry } from 'prom-client';
import type { ProvidersConfig } from '../../../platform/config.js';
import type { AdapterDeps } from './adapter.js';
import { createCallMetrics } from './call-metrics.js';
import { type PauseOptions, withPauses } from './pausing.js';
import type { Provider } from './provider.js';
import type { TwilioDeps } from './twilio.js';

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

/** Loads the adapters that the configuration names, with the libraries that they stand on; no others. */
export async function loadAdapters(config: ProvidersConfig) {
  const [apns, fcm, webPush, sendgrid, smtp, twilio] = await Promise.all([
    config.apns && import('./apns.js'),
    config.fcm && import('./fcm.js'),
    config.webPush && import('./web-push.js'),
    config.sendgrid && import('./sendgrid.js'),
    config.smtp && import('./smtp.js'),
    config.twilio && import('./twilio.js'),
  ]);
  return { apns, fcm, webPush, sendgrid, smtp, twilio };
}

/**
 * The providers that the configuration names, each left alone while it wants to be. Nothing is connected before the
 * first call.
 *
 * @param adapters those of this configuration
 */
export function createProviders(
  config: ProvidersConfig,
  adapters: Awaited<ReturnType<typeof loadAdapters>>,
  deps: ProvidersDeps,
): Providers {
  const { apns, fcm, webPush, sendgrid, smtp, twilio } = adapters;
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
    ...(config.apns && apns && { ios: guarded(apns.createApns(config.apns, deps)) }),
    ...(config.fcm && fcm && { android: guarded(fcm.createFcm(config.fcm, deps)) }),
    ...(config.webPush &&
      webPush && {
        web: guarded(webPush.createWebPush(config.webPush, deps), { serviceOf: webPush.pushServiceOf }),
      }),
    ...(config.sendgrid && sendgrid && { email: guarded(sendgrid.createSendGrid(config.sendgrid, deps)) }),
    ...(config.smtp && smtp && { email: guarded(smtp.createSmtp(config.smtp, deps)) }),
    ...(config.twilio && twilio && { sms: guarded(twilio.createTwilio(config.twilio, deps)) }),
  };
  return {
    ...providers,
    close: async () => {
      await Promise.all(Object.values(providers).map((provider) => provider.close()));
    },
  };
}
