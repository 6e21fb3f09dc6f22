import { loadPackageOfProduct, loadProduct } from '../../../harness/product.ts';
import { buildPageSchema, type PageContext } from '../schema.ts';
import { openAuthenticator } from '../viewer.ts';
import { servePage } from './page-server.ts';
import { portOf } from './port.ts';

servePage(async () => {
  const { createEdge } = await loadProduct<typeof import('../../../../src/edge/index.js')>('edge/index.js');
  const { createLogger } =
    await loadProduct<typeof import('../../../../src/platform/logger.js')>('platform/logger.js');
  const { systemClock } =
    await loadProduct<typeof import('../../../../src/platform/clock.js')>('platform/clock.js');
  const { uuidV7Ids } =
    await loadProduct<typeof import('../../../../src/platform/ids.js')>('platform/ids.js');
  const { Registry } = loadPackageOfProduct<typeof import('prom-client')>('prom-client');
  const edge = await createEdge<PageContext>({
    schema: buildPageSchema(loadPackageOfProduct<typeof import('graphql')>('graphql')),
    authenticator: await openAuthenticator(),
    createContext: ({ viewer }) => ({ viewer: viewer?.userId }),
    logger: createLogger('bench', 'info'),
    allowedOrigins: [],
    development: false,
    readiness: {},
    metrics: new Registry(),
    clock: systemClock,
    ids: uuidV7Ids(systemClock),
  });
  await edge.listen({ host: '127.0.0.1', port: 0 });
  return portOf(edge.app.server);
});
