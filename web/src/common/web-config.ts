import { use } from 'react';
import { onFound } from './connection-status.js';
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

let loading: Promise<WebConfig> | undefined;
/** It could not be asked for. */
let isMissing = false;

export function loadWebConfig(): Promise<WebConfig> {
  loading ??= fetch('/web-config.json')
    .then((response): Promise<WebConfig> => {
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      return response.json();
    })
    .catch(() => {
      isMissing = true;
      return NOTHING;
    });
  return loading;
}

// Not before: what suspends for it would ask again as soon as it has failed.
onFound(() => {
  if (isMissing) loading = undefined;
  isMissing = false;
});

/** Suspends until it is there. */
export const useWebConfig = (): WebConfig => use(loadWebConfig());
