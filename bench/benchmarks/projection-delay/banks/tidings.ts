import { loadProduct } from '../../../harness/product.ts';
import { callerNamed, migrateProduct, productEnvironment } from '../../../harness/product-app.ts';
import { accountIds, amount, type BankKind, type Place } from './bank.ts';

const ownerOf = (accountId: string): string => `owner of ${accountId}`.replaceAll(' ', '-');

/** What an api process is made of, less HTTP: commands, the log, and the hub that wakes readers. */
export const tidings: BankKind = {
  async found(place) {
    await migrateProduct(place.databaseUrl);
    const { app, close } = await openApi(place);
    for (const accountId of accountIds) {
      const caller = callerNamed(ownerOf(accountId), `story of ${accountId}`);
      const created = await app.commerce.createAccount(caller, { accountId, currency: 'USD' });
      if (!created.ok) throw new Error(`${accountId} was refused: ${created.errors[0]?.message}`);
    }
    await close();
  },
  async open(place) {
    const { app, hub, close } = await openApi(place);
    const callers = new Map(accountIds.map((id) => [id, callerNamed(ownerOf(id), `story of ${id}`)]));
    const callerOf = (accountId: string) => callers.get(accountId) ?? callerNamed('nobody', 'nothing');
    const { signal } = new AbortController();
    async function read(accountId: string, wait?: Parameters<typeof app.commerce.account>[2]) {
      const account = await app.commerce.account(callerOf(accountId), accountId, wait);
      if (!account) throw new Error(`${accountId} is not there`);
      return { version: account.version, minorUnits: Math.round(Number(account.balance) * 100) };
    }
    return {
      async deposit(accountId) {
        const accepted = await app.commerce.deposit(callerOf(accountId), { accountId, amount });
        if (!accepted.ok) throw new Error(`a deposit was refused: ${accepted.errors[0]?.message}`);
        return accepted.value.version;
      },
      readAt: (accountId, afterVersion) => read(accountId, { afterVersion, hub, clock: app.clock, signal }),
      read: (accountId) => read(accountId),
      close,
    };
  },
};

async function openApi({ databaseUrl, redisUrl }: Place) {
  const { openApp } = await loadProduct<typeof import('../../../../src/context.js')>('context.js');
  const { readConfig } = await loadProduct<typeof import('../../../../src/config.js')>('config.js');
  const { openBlockingRedis } =
    await loadProduct<typeof import('../../../../src/platform/redis/redis.js')>('platform/redis/redis.js');
  const { createWakeUpHub, openSubscriptions } = await loadProduct<
    typeof import('../../../../src/platform/wake-ups/wake-ups.js')
  >('platform/wake-ups/wake-ups.js');
  const app = openApp(readConfig(productEnvironment(databaseUrl, redisUrl)), 'api');
  await app.assertUsable();
  const onError = (error: Error): void => app.logger.warn({ err: error }, 'the wake-up connection failed');
  const hub = createWakeUpHub(
    openBlockingRedis([redisUrl], onError),
    openSubscriptions(app.redis),
    app.logger,
  );
  await hub.ready;
  const close = async (): Promise<void> => {
    hub.close();
    await app.close();
  };
  return { app, hub, close };
}
