import { readConfig } from '../../src/config.js';
import type { registerRoutes } from '../../src/http/routes.js';

type Deps = Parameters<typeof registerRoutes>[1];

/** For tests that only look at routes: nothing of the product is there to answer. */
export function depsOfNobody(
  environment: 'development' | 'production',
  s3 = false,
  variables: Readonly<Record<string, string>> = {},
): Deps {
  const config = readConfig({
    DATABASE_URL: 'postgres://localhost/none',
    REDIS_URL: 'redis://localhost',
    AUTH_SECRET: 'a secret that nothing here checks',
    ...(s3 && { MEDIA_S3_BUCKET: 'pictures', CDN_URL: 'https://cdn.test' }),
    ...variables,
  });
  return {
    app: {
      config: { ...config, environment },
      feed: { media: {} },
      notifications: { tracking: { isOn: true } },
    },
    openRequest: () => Promise.reject(new Error('nobody asks')),
  } as never;
}
