import { loadProduct } from '../../../harness/product.ts';
import type { StoreKind } from './store.ts';

/** The product's log. It sends one batch at a time, so that a process needs few connections. */
export const tidings: StoreKind = {
  name: 'tidings',
  table: 'events',
  firstPosition: 0,
  gapless: true,
  async migrate(databaseUrl) {
    const { migrate } = await loadProduct<typeof import('../../../../src/platform/postgres/migrations.js')>(
      'platform/postgres/migrations.js',
    );
    await migrate(databaseUrl);
  },
  async open(databaseUrl) {
    const platform = {
      ...(await loadProduct<typeof import('../../../../src/platform/postgres/postgres.js')>(
        'platform/postgres/postgres.js',
      )),
      ...(await loadProduct<typeof import('../../../../src/platform/event-log/index.js')>(
        'platform/event-log/index.js',
      )),
      ...(await loadProduct<typeof import('../../../../src/platform/ids.js')>('platform/ids.js')),
      ...(await loadProduct<typeof import('../../../../src/platform/clock.js')>('platform/clock.js')),
    };
    const postgres = platform.openPostgres(databaseUrl, {
      max: 4,
      applicationName: 'bench',
      onError: (error) => process.stderr.write(`${error.message}\n`),
    });
    const log = platform.createEventLog({ postgres, ids: platform.uuidV7Ids(platform.systemClock) });
    return {
      async append({ streamId, type, data, commandId }) {
        const result = await log.append({
          commandId,
          appends: [{ streamId, expected: 'any', events: [{ type, data }] }],
          metadata: { correlationId: commandId, causationId: commandId },
        });
        if (result.kind === 'accepted') return 'stored';
        if (result.kind === 'conflict') return 'conflict';
        throw new Error(`the log answered ${result.kind}`);
      },
      close: () => postgres.close(),
    };
  },
};
