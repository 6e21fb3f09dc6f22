import { connectionStatus } from './connection-status.js';

/** How a proxy answers in the place of a server that is away. */
export const AWAY = [502, 503, 504];
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;
/** A network that is gone may swallow requests: what takes longer counts as not answered. */
const ANSWER_WITHIN_MS = 10_000;

/** `fetch`, which notes whether the server answers. */
export async function watchedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    const response = await fetch(input, init);
    if (isAway(response)) void isThere();
    else connectionStatus.setReachable(true);
    return response;
  } catch (error) {
    if (!init?.signal?.aborted) void isThere();
    throw error;
  }
}

/** The api's own 503 is JSON. */
const isAway = (response: Response): boolean =>
  AWAY.includes(response.status) && !response.headers.get('content-type')?.includes('json');

let asking: Promise<boolean> | undefined;

/**
 * Whether the server answers now: one request that failed says nothing yet, since its answer may have been lost, or something
 * blocks it. A server that does not answer is asked again and again until it does.
 */
export function isThere(): Promise<boolean> {
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  return asking;
}

async function ask(): Promise<boolean> {
  const isFound = await isReached();
  connectionStatus.setReachable(isFound);
  if (!isFound) void askUntilReached();
  return isFound;
}

let isWaiting = false;

async function askUntilReached(): Promise<void> {
  if (isWaiting) return;
  isWaiting = true;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    await waitAtMost(wait);
    if (await isReached()) break;
    connectionStatus.setReachable(false);
  }
  isWaiting = false;
  connectionStatus.setReachable(true);
}

const isReached = (): Promise<boolean> =>
  fetch('/web-config.json', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).then(
    (response) => !isAway(response),
    () => false,
  );

/** Shorter where the browser says that it has a network again. */
function waitAtMost(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener('online', done);
  });
}

window.addEventListener('offline', () => void isThere());
if (!navigator.onLine) void isThere();
