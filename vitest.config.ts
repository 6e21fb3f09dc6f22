import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { longRuns } from './test/support/long-runs.js';
import { notOnCluster } from './test/support/not-on-cluster.js';
import SpreadFleets from './test/support/spread-fleets.js';

const leftOut = process.env.TEST_REDIS === 'cluster' ? [...notOnCluster] : [];
const ofServers = {
  globalSetup: ['test/support/global-setup.ts'],
  setupFiles: ['test/support/check-row-types.ts'],
};

export default defineConfig({
  resolve: {
    // One copy of graphql: its CommonJS and ESM forms refuse each other's schemas.
    alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql/index.js')) }],
  },
  test: {
    // Most files start servers of their own and wait for them: two cores are at work with three, and not much more with four.
    maxWorkers: 3,
    sequence: { sequencer: SpreadFleets },
    // Of tests that say so themselves: those that wait more than they work.
    maxConcurrency: 12,
    // Only what hangs takes so long, also on a machine that others keep busy.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 15_000 } },
    setupFiles: ['reflect-metadata'],
    server: { deps: { inline: [/type-graphql/, /@graphql-tools/, /graphql-scalars/] } },
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/**/*.unit.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'real',
          include: ['test/**/*.{int,e2e}.test.ts'],
          exclude: ['test/web/**', ...longRuns, ...leftOut],
          ...ofServers,
        },
      },
      { extends: true, test: { name: 'long', include: [...longRuns], exclude: leftOut, ...ofServers } },
      {
        extends: true,
        test: {
          name: 'web',
          include: ['test/web/**/*.e2e.test.ts'],
          globalSetup: ['test/support/global-setup.ts', 'test/web/support/global-setup.ts'],
        },
      },
    ],
  },
});
