import { onFound } from './connection-status.js';
import { isThere } from './reachability.js';

/**
 * Code that is loaded when it is needed; over a lost connection, as soon as the server is there again. What is not there then
 * either was of a former release.
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    if (!(await isThere())) await found();
    return load();
  }
}

const found = (): Promise<void> =>
  new Promise((resolve) => {
    const forget = onFound(() => {
      forget();
      resolve();
    });
  });
