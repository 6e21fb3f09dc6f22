import { beforeEach, describe, expect, test, vi } from 'vitest';

/** Whether the server answers. */
let isThere: boolean;
let window: EventTarget;
let loadCode: typeof import('../../web/src/common/load-code.js').loadCode;

beforeEach(async () => {
  isThere = true;
  window = new EventTarget();
  vi.stubGlobal('window', window);
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('fetch', async () => {
    if (!isThere) throw new TypeError('Failed to fetch');
    return new Response('{}');
  });
  vi.resetModules();
  ({ loadCode } = await import('../../web/src/common/load-code.js'));
});

describe('code that is loaded when it is needed', () => {
  test('comes at once where it comes', async () => {
    expect(await loadCode(async () => 'code')).toBe('code');
  });

  test('is asked for again as soon as the server is there', async () => {
    isThere = false;
    let tries = 0;
    const loading = loadCode(async () => {
      tries += 1;
      if (!isThere) throw new TypeError('Failed to fetch dynamically imported module');
      return 'code';
    });
    await vi.waitFor(() => expect(tries).toBe(1));
    isThere = true;
    window.dispatchEvent(new Event('online'));
    expect(await loading).toBe('code');
    expect(tries).toBe(2);
  });

  test('fails where the server is there and has it no more', async () => {
    const gone = new TypeError('Failed to fetch dynamically imported module');
    await expect(loadCode(() => Promise.reject(gone))).rejects.toBe(gone);
  });
});
