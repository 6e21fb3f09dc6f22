import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Where only those can write who may change the program itself: what lies there is run. */
const COMPILED = fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url));

const LOOK_EVERY_MS = 5_000;
/** Of the time since the last look, what the event loop was busy for. */
const IDLE_BELOW = 0.1;
/** One that has been busy for so long has made use of what it holds. */
const LOOKS = 24;

/**
 * Starts a process that is to run for long. What it compiles is kept on disk for the next start, where that can be written;
 * `NODE_COMPILE_CACHE` names another folder. And while it starts, V8's young generation stays small: nearly all that is
 * made then stays, and a larger one would be kept for good. It grows as it always does from then on. Once the process is idle, what starting left is
 * collected and given back to the system: V8 alone would keep a third of it for as long as nobody asks for anything.
 */
export async function startSmall<T>(start: () => Promise<T>): Promise<T> {
  enableCompileCache(process.env.NODE_COMPILE_CACHE ?? COMPILED);
  setFlagsFromString('--semi-space-growth-factor=1');
  try {
    return await start();
  } finally {
    setFlagsFromString('--semi-space-growth-factor=2');
    // A process that is killed leaves it too.
    flushCompileCache();
    giveBackOnceIdle();
  }
}

function giveBackOnceIdle(): void {
  let looks = 0;
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    looks += 1;
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const isIdle = utilization < IDLE_BELOW;
    if (isIdle || looks === LOOKS) clearInterval(timer);
    if (isIdle) collectAll();
  }, LOOK_EVERY_MS).unref();
}

/** Takes 0.1 to 0.2 s. Node has no other way to it than this flag, which a new context alone heeds. */
function collectAll(): void {
  setFlagsFromString('--expose-gc');
  const collect: NodeJS.GCFunction = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  void collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
