import { use } from 'react';
import type { Role } from './session.js';

/** What the api says about itself to the pages that it serves. */
export interface WebConfig {
  readonly environment: 'development' | 'production';
  /** Whether there is a page for queries at `/graphiql`. */
  readonly graphiql: boolean;
  /** Where the stand-in providers are controlled; null where there are none. */
  readonly sandboxUrl: string | null;
  /** People of the demo data to sign in as; empty outside `npm start`. */
  readonly demoTokens: readonly { readonly userId: string; readonly role: Role; readonly token: string }[];
  /** With which this browser subscribes to Web Push; null where the server sends none. */
  readonly pushKey: string | null;
  readonly version: string;
}

const NOTHING: WebConfig = {
  environment: 'production',
  graphiql: false,
  sandboxUrl: null,
  demoTokens: [],
  pushKey: null,
  version: '',
};

const AGAIN_AFTER_MS = 5_000;
let loading: Promise<WebConfig> | undefined;

export function loadWebConfig(): Promise<WebConfig> {
  loading ??= fetch('/web-config.json')
    .then((response): Promise<WebConfig> | WebConfig => (response.ok ? response.json() : NOTHING))
    .catch(() => {
      // Who renders now takes it as it is; later it is asked for again.
      setTimeout(() => {
        loading = undefined;
      }, AGAIN_AFTER_MS);
      return NOTHING;
    });
  return loading;
}

/** Suspends until it is there. */
export const useWebConfig = (): WebConfig => use(loadWebConfig());
