import { readFileSync } from 'node:fs';
import type { Gate } from '../../../../src/edge/index.js';
import { loadPackageOfProduct, loadProduct } from '../../../harness/product.ts';
import { buildPageSchema, type PageContext } from '../../graphql-page/schema.ts';
import { type PageServerMethods, servePage } from '../../graphql-page/servers/page-server.ts';
import { portOf } from '../../graphql-page/servers/port.ts';
import { openAuthenticator } from '../../graphql-page/viewer.ts';
import { openLimiter } from '../../limit-check/limiter.ts';

export type MemoryServerMethods = PageServerMethods;

const rules = new URL('../../../../rules/bench.yaml', import.meta.url);
const [redisUrl] = process.argv.slice(2);

servePage(async () => {
  const { createEdge } = await loadProduct<typeof import('../../../../src/edge/index.js')>('edge/index.js');
  const { createLogger } =
    await loadProduct<typeof import('../../../../src/platform/logger.js')>('platform/logger.js');
  const { systemClock } =
    await loadProduct<typeof import('../../../../src/platform/clock.js')>('platform/clock.js');
  const { uuidV7Ids } =
    await loadProduct<typeof import('../../../../src/platform/ids.js')>('platform/ids.js');
  const { Registry } = loadPackageOfProduct<typeof import('prom-client')>('prom-client');
  const metrics = new Registry();
  const gate: Gate | undefined = redisUrl
    ? (await openLimiter(redisUrl, readFileSync(rules, 'utf8'), metrics)).limiter
    : undefined;
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
    ...(gate && { gate }),
  });
  await edge.listen({ host: '127.0.0.1', port: 0 });
  return portOf(edge.app.server);
});
