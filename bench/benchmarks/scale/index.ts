import { fileURLToPath } from 'node:url';
import { allowed } from '../../../test/scale/allowed.ts';
import type { Touched } from '../../../test/scale/blocks.ts';
import { loadData } from '../../../test/scale/load-data.ts';
import { type Measured, measureAll } from '../../../test/scale/measure.ts';
import { BULK, SMALL_SCALE_PLANS, startMeteredPostgres } from '../../../test/scale/world.ts';
import type { Benchmark, Outcome } from '../../harness/benchmark.ts';
import { loadProduct } from '../../harness/product.ts';
import { productEnvironment } from '../../harness/product-app.ts';
import { startProduct } from '../../harness/product-process.ts';
import { startRedis } from '../../harness/redis-server.ts';
import { tableOfGrowth } from './table.ts';

/** As the test of every change has at its large size. Of fewer, a table is a handful of pages, read at once for less than a look-up a row. */
const SMALL_USERS = 8_000;
const LARGE_USERS = 50_000;
const QUICK_USERS = 16_000;
/** Of each operation. */
const RUNS = 5;
const WITHIN = 'every-one-within-1.5';
const rules = fileURLToPath(new URL('../../../rules/start.yaml', import.meta.url));

/** What every operation and every background job reads of a small database and of a large one. */
export const scale: Benchmark = {
  name: 'scale',
  summary:
    'blocks that each operation and job reads of a database of 8,000 users and of a larger one (--users)',
  targets: { [WITHIN]: 1 },
  async run({ users, quick, note }) {
    const large = users ?? (quick ? QUICK_USERS : LARGE_USERS);
    const server = await startMeteredPostgres(loadProduct, BULK);
    try {
      const measure = async (count: number, planning: readonly string[]): Promise<Measured> => {
        const databaseUrl = await server.create(`users_${count}`, planning);
        await loadData(databaseUrl, count, note);
        return measureOn(databaseUrl, note, (name, why) => failed.push(`${name} at ${count} users: ${why}`));
      };
      const failed: string[] = [];
      const [before, after] = [
        await measure(SMALL_USERS, SMALL_SCALE_PLANS),
        // By whatever plan the product's own settings lead to.
        await measure(large, []),
      ];
      if (failed.length > 0) throw new Error(failed.join('\n'));
      process.stderr.write(tableOfGrowth([SMALL_USERS, large], before, after));
      return outcomeOf(before, after);
    } finally {
      await server.stop();
    }
  },
};

export async function measureOn(
  databaseUrl: string,
  note: (line: string) => void,
  wrong: (name: string, why: string) => void,
): Promise<Measured> {
  const { signToken } =
    await loadProduct<typeof import('../../../src/platform/auth/auth.js')>('platform/auth/auth.js');
  const redis = await startRedis({ persistent: false });
  try {
    const environment: NodeJS.ProcessEnv = {
      ...productEnvironment(databaseUrl, redis.url),
      RATE_LIMIT_RULES: rules,
    };
    const api = await startProduct('api', { databaseUrl, redisUrl: redis.url, env: environment });
    try {
      return await measureAll(
        {
          databaseUrl,
          apiUrl: api.url,
          environment,
          authorization: async (userId, roles) =>
            `Bearer ${await signToken(environment.AUTH_SECRET!, { userId, roles: [...roles], plan: 'free', expiresInSeconds: 3_600 })}`,
          load: loadProduct,
        },
        RUNS,
        note,
        wrong,
      );
    } finally {
      await api.stop();
    }
  } finally {
    await redis.stop();
  }
}

function outcomeOf(before: Measured, after: Measured): Outcome {
  const pairs = [...after].flatMap(([name, large]): [string, Touched, Touched][] => {
    const small = before.get(name);
    return small ? [[name, small, large]] : [];
  });
  const ratios = Object.fromEntries(
    pairs.map(([name, small, large]) => [name, Math.max(1, small.blocks) / Math.max(1, large.blocks)]),
  );
  const room = pairs.map(([name, small, large]) => allowed(name, small.blocks) / Math.max(1, large.blocks));
  return {
    ratios: { [WITHIN]: Math.min(...room), ...ratios },
    figures: { 'operations and jobs': pairs.length, 'of them grown': room.filter((one) => one < 1).length },
  };
}
