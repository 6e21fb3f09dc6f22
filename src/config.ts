import { z } from 'zod';
import { feedVariables, mediaVariables, readFeed, readMedia } from './domains/feed/config.js';
import { limitsVariables, readLimits } from './domains/limits/config.js';
import {
  notificationVariables,
  readNotificationLimits,
  readNotifications,
  readProviders,
} from './domains/notifications/config.js';
import { edgeVariables, readEdge } from './edge/config.js';
import { readWeb, webFaults, webVariables } from './http/web/config.js';
import {
  ConfigError,
  platformVariables,
  presentVariables,
  readPlatform,
  variableFaults,
} from './platform/config.js';
import {
  eventArchiveFaults,
  eventArchiveVariables,
  readEventArchive,
} from './platform/event-archive-config.js';
import { objectStoreVariables } from './platform/object-store/store.js';
import { readTracing, tracingVariables, withoutUnusedTracing } from './platform/tracing/config.js';
import { outgoingFaults, outgoingVariables, readOutgoing } from './projectors/outgoing-config.js';

const url = z.url();

/** Every variable of the environment: each part of the product declares its own. */
export const environment = z.object({
  ...platformVariables,
  ...tracingVariables,
  ...edgeVariables,
  ...webVariables,
  BASE_URL: url.optional(),
  TRACK_URL: url.optional(),
  CDN_URL: url.optional(),
  ...limitsVariables,
  ...outgoingVariables,
  ...feedVariables,
  ...objectStoreVariables,
  ...mediaVariables,
  ...eventArchiveVariables,
  ...notificationVariables,
});

export type Config = ReturnType<typeof readConfig>;

/**
 * Parses the environment once.
 *
 * @throws ConfigError naming every variable that is missing or wrong
 */
export function readConfig(env: NodeJS.ProcessEnv) {
  const present = withoutUnusedTracing(presentVariables(env));
  const parsed = environment.safeParse(present);
  const faults = variableFaults(parsed.error, present);
  const providers = readProviders(present, faults);
  if (present.MEDIA_S3_BUCKET && !present.CDN_URL)
    faults.push('CDN_URL is missing: what MEDIA_S3_BUCKET holds is not served below BASE_URL');
  faults.push(...outgoingFaults(present), ...eventArchiveFaults(present), ...webFaults(present));
  if (!present.AUTH_SECRET && !present.AUTH_JWKS_URL) faults.push('AUTH_SECRET or AUTH_JWKS_URL is missing');
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);
  const e = parsed.data;
  const baseUrl = trimSlash(e.BASE_URL ?? `http://${e.HOST === '0.0.0.0' ? 'localhost' : e.HOST}:${e.PORT}`);
  return {
    ...readPlatform(e),
    /** Undefined: no traces are made. */
    tracing: readTracing(e),
    ...readEdge(e, e.NODE_ENV === 'production'),
    ...readOutgoing(e),
    /** Where the outside world reaches the API; callbacks of providers go there. */
    baseUrl,
    trackUrl: trimSlash(e.TRACK_URL ?? `${baseUrl}/t`),
    cdnUrl: trimSlash(e.CDN_URL ?? `${baseUrl}/media`),
    web: readWeb(e),
    feed: readFeed(e, e.AUTH_SECRET ?? e.DATABASE_URL),
    media: readMedia(e),
    /** Undefined: old events stay in Postgres, and there are none elsewhere. */
    eventArchive: readEventArchive(e),
    limits: readLimits(e, e.REDIS_URL),
    providers,
    notifications: readNotifications(e, e.AUTH_SECRET),
    /** Limits of notifications that differ from the product's own. */
    notificationLimits: readNotificationLimits(e),
  };
}

const trimSlash = (text: string): string => text.replace(/(?<!\/)\/+$/, '');
