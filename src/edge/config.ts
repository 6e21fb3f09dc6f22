import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { defined } from '../platform/defined.js';
import { defaultSocketLimits, type ProxyTrust, type SocketLimits } from './options.js';

const port = z.coerce.number().int().min(0).max(65_535);

const atLeastOne = z.coerce.number().int().min(1).max(1_000_000);

/** Networks separated by commas; a bare address is a network of one. */
const cidrs = z.string().transform((text, context) =>
  text.split(',').map((part) => {
    const one = part.trim();
    const cidr = one.includes('/') ? one : `${one}/${one.includes(':') ? 128 : 32}`;
    if (!ipaddr.isValidCIDR(cidr))
      context.addIssue(`${JSON.stringify(one)} is not a network like 10.0.0.0/8`);
    return cidr;
  }),
);

export const edgeVariables = {
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port.default(4000),
  WORKER_HOST: z.string().min(1).optional(),
  WORKER_PORT: port.default(4001),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_READYZ: z.stringbool().default(true),
  ALLOWED_ORIGINS: z.string().optional(),
  TRUSTED_PROXIES: cidrs.optional(),
  FORWARDED_HEADER: z.enum(['x-forwarded-for', 'forwarded']).optional(),
  SHUTDOWN_DELAY_MS: z.coerce.number().int().min(0).max(600_000).optional(),
  MAX_RESPONSE_BYTES: z.coerce.number().int().min(65_536).max(268_435_456).default(8_388_608),
  PERSISTED_DOCUMENTS: z.string().min(1).optional(),
  PERSISTED_DOCUMENTS_ONLY: z.stringbool().default(false),
  MAX_SOCKETS: atLeastOne.default(defaultSocketLimits.maxSockets),
  MAX_SOCKETS_PER_USER: atLeastOne.default(defaultSocketLimits.maxSocketsPerUser),
  MAX_SOCKETS_PER_NETWORK: atLeastOne.default(defaultSocketLimits.maxSocketsPerNetwork),
};
type EdgeVariables = z.infer<z.ZodObject<typeof edgeVariables>>;

export interface EdgeConfig extends ProxyTrust {
  readonly host: string;
  readonly port: number;
  /** The interface of `workerPort`. */
  readonly workerHost: string;
  /** Where the worker answers `/metrics`, `/healthz` and `/readyz`. */
  readonly workerPort: number;
  /** Where an api answers `/metrics` and all of `/readyz`; undefined: on its public port. */
  readonly metricsPort?: number;
  /** The interface of `metricsPort`. */
  readonly metricsHost: string;
  /** Whether the public port has a `/readyz` beside it. */
  readonly publicReadyz: boolean;
  /** Browser origins, besides the API's own, that may open a WebSocket or call the API. */
  readonly allowedOrigins: readonly string[];
  /** How long an api that drains serves on, for load balancers to notice; then comes the grace. */
  readonly shutdownDelayMs: number;
  /** Of one answer; see `DocumentLimits.maxResponseBytes`. */
  readonly maxResponseBytes: number;
  readonly sockets: SocketLimits;
  /** Files of documents that clients name by id; see `readPersistedDocuments`. */
  readonly persistedDocuments: readonly string[];
  /** Whether no other documents are taken but from admins. */
  readonly onlyPersistedDocuments: boolean;
}

export const readEdge = (e: EdgeVariables, isProduction: boolean): EdgeConfig => ({
  host: e.HOST,
  port: e.PORT,
  workerHost: e.WORKER_HOST ?? e.HOST,
  workerPort: e.WORKER_PORT,
  ...defined({ metricsPort: metricsPortOf(e, isProduction), forwardedHeader: e.FORWARDED_HEADER }),
  metricsHost: e.METRICS_HOST,
  publicReadyz: e.PUBLIC_READYZ,
  allowedOrigins: e.ALLOWED_ORIGINS?.split(',').map((origin) => origin.trim()) ?? [],
  trustedProxies: e.TRUSTED_PROXIES ?? [],
  // Two probes of a load balancer that asks every 2 s, and a little; nobody stands in front of a laptop.
  shutdownDelayMs: e.SHUTDOWN_DELAY_MS ?? (isProduction ? 5_000 : 0),
  maxResponseBytes: e.MAX_RESPONSE_BYTES,
  persistedDocuments: e.PERSISTED_DOCUMENTS?.split(',').map((file) => file.trim()) ?? [],
  onlyPersistedDocuments: e.PERSISTED_DOCUMENTS_ONLY,
  sockets: {
    maxSockets: e.MAX_SOCKETS,
    maxSocketsPerUser: e.MAX_SOCKETS_PER_USER,
    maxSocketsPerNetwork: e.MAX_SOCKETS_PER_NETWORK,
  },
});

/** Far enough above `PORT` for several apis on one machine. */
const METRICS_PORT_DISTANCE = 1_000;

/** In production apart unless `METRICS_PORT` is the public one; elsewhere only where `METRICS_PORT` is set. */
function metricsPortOf({ PORT, METRICS_PORT }: EdgeVariables, isProduction: boolean): number | undefined {
  if (METRICS_PORT !== undefined) return METRICS_PORT === PORT && PORT !== 0 ? undefined : METRICS_PORT;
  if (!isProduction) return undefined;
  if (PORT === 0) return 0;
  return PORT + METRICS_PORT_DISTANCE <= 65_535 ? PORT + METRICS_PORT_DISTANCE : PORT - METRICS_PORT_DISTANCE;
}
