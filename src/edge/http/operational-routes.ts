import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { withinMs } from '../../platform/deadline.js';
import type { Logger } from '../../platform/logging/logger.js';

export interface OperationalOptions {
  /** What readiness depends on, by name: resolves when usable. */
  readonly readiness: Readonly<Record<string, () => Promise<void>>>;
  readonly metrics: Registry;
  /** True from the moment at which the process wants no new work. */
  readonly draining: () => boolean;
  /** Gets the reason where a dependency is not ready: clients see only which. */
  readonly logger: Logger;
}

interface Check {
  readonly status: 'ok' | 'error';
  readonly ms: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `open`: no rate-limit check; `operation`: the route checks by itself, once its operation is known. */
    gate?: 'open' | 'operation';
  }
}

/** A probe must not be refused, nor depend on counters. */
const UNGATED = { config: { gate: 'open' } } as const;

/** A dependency that takes longer than this is not ready. */
const CHECK_TIMEOUT_MS = 2_000;

/**
 * `/healthz`: 200 while the process lives. `/readyz`: each dependency by name; 200 when all are usable, 503
 * otherwise and while draining. `/metrics`: the registry in Prometheus' text format. The server outlives connections
 * that it cannot accept.
 */
export function registerOperationalRoutes(app: FastifyInstance, options: OperationalOptions): void {
  registerPublicProbes(app, { ...options, showChecks: true });
  app.get('/metrics', UNGATED, async (_, reply) => {
    const text = await options.metrics.metrics();
    return reply.header('content-type', options.metrics.contentType).send(text);
  });
}

/**
 * What remains of them on a port that the public reaches, where they have a port of their own: `/healthz`, and `/readyz`
 * for load balancers, which says no more than whether the process is ready.
 */
export function registerPublicProbes(
  app: FastifyInstance,
  options: OperationalOptions & { readonly showChecks?: boolean; readonly readyz?: boolean },
): void {
  const { logger, showChecks = false, readyz = true } = options;
  // Out of file handles, a server cannot accept a connection, and says so by an event. One that cannot listen rejects.
  app.server.on('error', (err) => {
    if (app.server.listening) logger.error({ err }, 'a connection could not be accepted');
  });

  // Nothing limits how often these are asked: all who ask while the dependencies are asked share the answer.
  let running: ReturnType<typeof checkAll> | undefined;
  const checkOnce = (): ReturnType<typeof checkAll> => {
    running ??= checkAll(options).finally(() => {
      running = undefined;
    });
    return running;
  };

  app.get('/healthz', UNGATED, () => ({ status: 'ok' }));
  if (!readyz) return;

  app.get('/readyz', UNGATED, async (_, reply) => {
    const checks = await checkOnce();
    const ready = !options.draining() && Object.values(checks).every(({ status }) => status === 'ok');
    const status = options.draining() ? 'draining' : ready ? 'ready' : 'not ready';
    return reply.code(ready ? 200 : 503).send({ status, ...(showChecks && { checks }) });
  });
}

async function checkAll({ readiness, logger }: OperationalOptions): Promise<Record<string, Check>> {
  const named = Object.entries(readiness).map(async ([dependency, check]) => {
    const onError = (err: unknown) => logger.warn({ err, dependency }, 'dependency is not ready');
    return [dependency, await runCheck(check, onError)] as const;
  });
  return Object.fromEntries(await Promise.all(named));
}

async function runCheck(check: () => Promise<void>, onError: (error: unknown) => void): Promise<Check> {
  const started = performance.now();
  let status: Check['status'] = 'ok';
  try {
    await withinMs(CHECK_TIMEOUT_MS, check());
  } catch (error) {
    onError(error);
    status = 'error';
  }
  return { status, ms: Math.round(performance.now() - started) };
}
