import { connectionStatus } from './connection-status.js';

/** How a proxy answers in the place of a server that is away. */
const AWAY = [502, 503, 504];
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;

let isAsking = false;

/** `fetch`, which notes whether the server answers; while it does not, it is asked again and again until it does. */
export async function watchedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    const response = await fetch(input, init);
    if (isAway(response)) void askUntilReached();
    else connectionStatus.setReachable(true);
    return response;
  } catch (error) {
    if (!init?.signal?.aborted) void askUntilReached();
    throw error;
  }
}

/** Also the api's own 503 is JSON. */
const isAway = (response: Response): boolean =>
  AWAY.includes(response.status) && !response.headers.get('content-type')?.includes('json');

/** One request that fails says nothing yet: its answer may have been lost, or something blocks it. */
async function askUntilReached(): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  for (let wait = FIRST_WAIT_MS; !(await isReached()); wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    connectionStatus.setReachable(false);
    await waitAtMost(wait);
  }
  isAsking = false;
  connectionStatus.setReachable(true);
}

const isReached = (): Promise<boolean> =>
  fetch('/web-config.json', { cache: 'no-store' }).then(
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

window.addEventListener('offline', () => void askUntilReached());
if (!navigator.onLine) void askUntilReached();
