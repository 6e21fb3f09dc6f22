import { isIPv4 } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publicLookup } from '../../src/platform/network/public-lookup.js';
import { startNameServer } from './dns-stub.js';

let server: Awaited<ReturnType<typeof startNameServer>>;
let address: string;
let onQuestion: () => void = () => undefined;

beforeAll(async () => {
  server = await startNameServer(() => onQuestion());
  ({ address } = server);
});
afterAll(() => server?.close());

const lookUp = (name: string, signal = new AbortController().signal) =>
  new Promise<string[]>((done, failed) => {
    publicLookup(signal, [address])(name, { all: true }, (error, found) => {
      if (error) failed(error);
      else done((found as { address: string }[]).map((one) => one.address).sort());
    });
  });

describe('the address of a host that a user names', () => {
  it('is one of those that were looked at', async () => {
    expect(await lookUp('public.test')).toEqual(['1.1.1.1', '8.8.8.8']);
    const one = await new Promise<unknown>((done) => {
      publicLookup(new AbortController().signal, [address])('public.test', {}, (_error, found) =>
        done(found),
      );
    });
    expect(isIPv4(String(one))).toBe(true);
  });

  it('is none where one of them is not public, or there are none', async () => {
    await expect(lookUp('mixed.test')).rejects.toThrow(/not public/);
    await expect(lookUp('none.test')).rejects.toThrow(/ENODATA/);
  });

  it('is waited for no longer than the caller’s deadline', async () => {
    const asked = new Promise<void>((resolve) => {
      onQuestion = resolve;
    });
    const stop = new AbortController();
    const lookup = lookUp('silent.test', stop.signal);
    const refused = expect(lookup).rejects.toThrow(/ECANCELLED/);
    await asked;
    stop.abort();
    await refused;
    await expect(lookUp('public.test', AbortSignal.abort())).rejects.toThrow(/abort/);
  });
});
