// Bundles GraphiQL, its editor and the editor's workers into dist/graphiql, so that it works without a network.
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

await build({
  configFile: false,
  root: here('./graphiql'),
  base: '/graphiql/',
  logLevel: 'error',
  define: { 'process.env.NODE_ENV': '"production"' },
  worker: { format: 'es' },
  build: { outDir: here('../dist/graphiql'), emptyOutDir: true, chunkSizeWarningLimit: 10_000 },
});
