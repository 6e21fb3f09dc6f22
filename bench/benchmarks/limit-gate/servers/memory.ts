import { readFileSync } from 'node:fs';
import { loadPackageOfProduct } from '../../../harness/product.ts';
import { type PageServerMethods, servePage } from '../../graphql-page/servers/page-server.ts';
import { listenAsTidings } from '../../graphql-page/servers/tidings-edge.ts';
import { openLimiter } from '../../limit-check/limiter.ts';

export type MemoryServerMethods = PageServerMethods;

const rules = new URL('../../../../rules/bench.yaml', import.meta.url);
const [redisUrl] = process.argv.slice(2);

servePage(async () => {
  const { Registry } = loadPackageOfProduct<typeof import('prom-client')>('prom-client');
  const metrics = new Registry();
  if (!redisUrl) return listenAsTidings(metrics);
  const { limiter } = await openLimiter(redisUrl, readFileSync(rules, 'utf8'), metrics);
  return listenAsTidings(metrics, limiter);
});
