import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    // One copy of graphql: its CommonJS and ESM forms refuse each other's schemas.
    alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql/index.js')) }],
  },
  test: {
    // Others may run on this machine, and most files here start servers of their own.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
    setupFiles: ['reflect-metadata', 'test/support/strict-scalars.ts'],
    server: { deps: { inline: [/type-graphql/, /graphql-jit/, /@graphql-tools/, /graphql-scalars/] } },
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/**/*.unit.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'real',
          include: ['test/**/*.{int,e2e}.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
        },
      },
    ],
  },
});
