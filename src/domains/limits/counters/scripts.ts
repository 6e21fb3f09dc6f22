import { createHash } from 'node:crypto';
import type { Algorithm } from '../../../platform/gate.js';
import { loadScript, type Script } from '../../../platform/redis/redis.js';

/** The number of each algorithm in the scripts, and the file that holds its steps. */
export const ALGORITHM_PARTS = {
  fixed_window: { number: 1, file: 'fixed-window' },
  sliding_window_log: { number: 2, file: 'sliding-window-log' },
  sliding_window_counter: { number: 3, file: 'sliding-window-counter' },
  token_bucket: { number: 4, file: 'token-bucket' },
  leaky_bucket: { number: 5, file: 'leaky-bucket' },
} as const satisfies Record<Algorithm, { number: number; file: string }>;

/** What may be done to counters; each one atomic step. The head of its main part lists keys, arguments, answers. */
export const scripts = {
  charge: compose('charge'),
  peek: compose('peek'),
  refund: compose('refund'),
};

/** Lua in Redis cannot include another file: the algorithms between what they and the scripts share, then the main part. */
function compose(main: string): Script {
  const algorithms = Object.values(ALGORITHM_PARTS).map(({ file }) => `do\n${read(file)}end\n`);
  const shared = [read('values'), read('records'), read('current-windows'), 'local algorithms = {}\n'];
  const source = [...shared, ...algorithms, read('uses'), read('checks'), read(main)].join('');
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}

function read(file: string): string {
  return loadScript(new URL(`./${file}.lua`, import.meta.url)).source;
}
