import { loadPackageOfProduct } from '../../../harness/product.ts';
import { servePage } from './page-server.ts';
import { listenAsTidings } from './tidings-edge.ts';

servePage(() => {
  const { Registry } = loadPackageOfProduct<typeof import('prom-client')>('prom-client');
  return listenAsTidings(new Registry());
});
