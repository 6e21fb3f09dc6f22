import type { Registry } from 'prom-client';
import type { Gate } from '../../../../src/edge/index.js';
import { loadPackageOfProduct, loadProduct } from '../../../harness/product.ts';
import { buildPageSchema, type PageContext } from '../schema.ts';
import { openAuthenticator } from '../viewer.ts';
import { portOf } from './port.ts';

/** The product's own server of the page, behind the gate that is given; listens on a free port and tells it. */
export async function listenAsTidings(metrics: Registry, gate?: Gate): Promise<number> {
  const { createEdge } = await loadProduct<typeof import('../../../../src/edge/index.js')>('edge/index.js');
  const { createLogger } = await loadProduct<typeof import('../../../../src/platform/logging/logger.js')>(
    'platform/logging/logger.js',
  );
  const { systemClock } =
    await loadProduct<typeof import('../../../../src/platform/clock.js')>('platform/clock.js');
  const { uuidV7Ids } =
    await loadProduct<typeof import('../../../../src/platform/ids.js')>('platform/ids.js');
  const edge = await createEdge<PageContext>({
    schema: buildPageSchema(loadPackageOfProduct<typeof import('graphql')>('graphql')),
    authenticator: await openAuthenticator(),
    createContext: ({ viewer }) => ({ viewer: viewer?.userId }),
    logger: createLogger('bench', 'info'),
    allowedOrigins: [],
    development: false,
    readiness: {},
    metrics,
    clock: systemClock,
    ids: uuidV7Ids(systemClock),
    ...(gate && { gate: () => gate }),
  });
  await edge.listen({ host: '127.0.0.1', port: 0 });
  return portOf(edge.app.server);
}
