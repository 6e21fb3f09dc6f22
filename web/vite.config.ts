import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressedFiles } from './build/compressed-files.ts';
import { documentIds } from './build/document-ids.ts';
import { firstLoad } from './build/first-load.ts';
import { guidePages } from './build/guide-pages.ts';
import { lightScrollArea } from './build/light-scroll-area.ts';
import { pagePaths } from './build/page-paths.ts';
import { usedStyles } from './build/used-styles.ts';

/** The api that `npm run dev` passes requests on to. */
const api = process.env.TIDINGS_URL ?? 'http://127.0.0.1:4000';
const page = (name: string) => fileURLToPath(new URL(`${name}.html`, import.meta.url));

export default defineConfig({
  plugins: [
    documentIds(),
    react(),
    lightScrollArea(),
    pagePaths(),
    guidePages(),
    usedStyles(),
    compressedFiles(),
    firstLoad(),
  ],
  logLevel: 'error',
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // Otherwise `light-dark()` is rewritten for older browsers into variables that nothing here sets.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    outDir: fileURLToPath(new URL('../dist/web', import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 5_000,
    rolldownOptions: {
      input: ['index', 'console', 'app', 'graphiql', 'guide', 'not-found'].map(page),
    },
  },
  // GraphiQL brings workers that only a build can make: while developing, the api's own page serves.
  optimizeDeps: {
    entries: ['index.html', 'console.html', 'app.html'],
    exclude: ['graphiql/setup-workers/vite'],
  },
  server: {
    fs: { allow: ['.', '../src/domains/feed'] },
    proxy: Object.fromEntries(
      ['/graphql', '/api', '/media', '/web-config.json', '/openapi.json', '/metrics', '/readyz'].map(
        (path) => [path, { target: api, ws: path === '/graphql', changeOrigin: true }],
      ),
    ),
  },
});
