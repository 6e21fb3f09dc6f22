import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { newIncomingKey } from '../../src/domains/feed/media/keys.js';
import { createDiskStore, type MediaStore } from '../../src/domains/feed/media/store.js';
import { createS3Store } from '../../src/platform/object-store/s3-store.js';
import { S3_KEY, type S3Stub, startS3Stub } from './s3-stub.js';

const FACTS = { contentType: 'image/webp', cacheControl: 'public, max-age=60' };
const token = 'ab'.repeat(16);
const [KEY, OTHER] = [`images/${token}/150.webp`, `images/${token}/300.webp`];

let dir: string;
let s3: S3Stub;
beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', S3_KEY.id);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', S3_KEY.secret);
  [dir, s3] = await Promise.all([mkdtemp(path.join(tmpdir(), 'tidings-store-')), startS3Stub()]);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all([s3.close(), rm(dir, { recursive: true, force: true })]);
});
afterEach(async () => {
  s3.objects.clear();
  await createDiskStore(dir).remove([KEY, OTHER]);
});

async function* from(...chunks: (Uint8Array | Error)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    if (chunk instanceof Error) throw chunk;
    yield chunk;
  }
}

const stores: [string, () => MediaStore][] = [
  ['a folder', () => createDiskStore(dir)],
  ['S3', () => createS3Store({ bucket: 'pictures', region: 'eu-test-1', endpoint: s3.url })],
];

describe.each(stores)('%s', (_, open) => {
  const read = async (store: MediaStore, key: string) => buffer(await store.get(key));

  it('gives back what was put, and the newest of it', async () => {
    const store = open();
    await store.put(KEY, from(Buffer.from('one')), FACTS);
    await store.put(KEY, from(Buffer.from('t'), Buffer.from('wo')), FACTS);
    expect((await read(store, KEY)).toString()).toBe('two');
  });

  it('keeps nothing of what broke off, neither soon nor late', async () => {
    const store = open();
    const broken = [Buffer.from('some'), Buffer.alloc(6 * 1024 * 1024), Buffer.alloc(6 * 1024 * 1024)];
    for (const chunks of [[], broken]) {
      await expect(store.put(KEY, from(...chunks, new Error('cut')), FACTS)).rejects.toThrow('cut');
      await expect(read(store, KEY)).rejects.toThrow();
    }
    expect([...s3.open]).toEqual([]);
  });

  it('takes large files in parts', async () => {
    const store = open();
    const chunks = Array.from({ length: 12 }, (_, n) => Buffer.alloc(1024 * 1024, n));
    await store.put(KEY, from(...chunks), FACTS);
    expect((await read(store, KEY)).equals(Buffer.concat(chunks))).toBe(true);
  });

  it('removes files, and does not mind those that are not there', async () => {
    const store = open();
    await store.put(KEY, from(Buffer.from('one')), FACTS);
    await store.remove([KEY, OTHER]);
    await store.remove([KEY, OTHER]);
    await expect(read(store, KEY)).rejects.toThrow();
  });
});

describe('a folder', () => {
  it('has no folders left when their files are gone', async () => {
    const store = createDiskStore(dir);
    await store.put(KEY, from(Buffer.from('one')), FACTS);
    await store.remove([KEY]);
    await expect(stat(path.join(dir, 'images', token))).rejects.toThrow('ENOENT');
  });

  it('takes an upload while the only other one goes', async () => {
    const store = createDiskStore(dir);
    const comeAndGo = async (): Promise<void> => {
      for (let n = 0; n < 200; n += 1) {
        const key = newIncomingKey();
        await store.put(key, from(Buffer.from('one')), FACTS);
        await store.remove([key]);
      }
    };
    await Promise.all([comeAndGo(), comeAndGo(), comeAndGo(), comeAndGo()]);
  });

  it('gives a file only ever whole, where a run that was thought dead puts it as well', async () => {
    const store = createDiskStore(dir);
    const [slow, quick] = ['s', 'q'].map((letter) => Buffer.alloc(100_000, letter));
    const { promise: isPut, resolve: goOn } = Promise.withResolvers<void>();
    async function* inHalves(): AsyncGenerator<Uint8Array> {
      yield slow!.subarray(0, 90_000);
      await isPut;
      yield slow!.subarray(90_000);
    }
    const slowly = store.put(KEY, inHalves(), FACTS);
    await store.put(KEY, from(quick!), FACTS);
    expect((await buffer(await store.get(KEY))).equals(quick!)).toBe(true);
    goOn();
    await slowly;
    expect((await buffer(await store.get(KEY))).equals(slow!)).toBe(true);
  });

  it('keeps nothing of a put that was killed once the file is removed', async () => {
    const store = createDiskStore(dir);
    await store.put(KEY, from(Buffer.from('one')), FACTS);
    const folder = path.join(dir, 'images', token);
    await writeFile(path.join(folder, `150.webp.${randomUUID()}.part`), 'o');
    await writeFile(path.join(folder, `300.webp.${randomUUID()}.part`), 't');
    await store.remove([KEY]);
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^300\.webp\..*\.part$/)]);
  });

  it.each([
    '../secret',
    '/etc/passwd',
    'images/../../x.png',
    `images/${token}/../150.webp`,
    `images/${token}/150.webp\0.png`,
    '',
  ])('knows no key %j', async (key) => {
    const store = createDiskStore(dir);
    await expect(store.get(key)).rejects.toThrow('not a key');
    await expect(store.remove([key])).rejects.toThrow('not a key');
    await expect(store.put(key, from(Buffer.from('x')), FACTS)).rejects.toThrow('not a key');
  });
});

describe('S3', () => {
  it('gets the headers that a server of the file must send', async () => {
    const store = createS3Store({ bucket: 'pictures', region: 'eu-test-1', endpoint: s3.url });
    await store.put(KEY, from(Buffer.from('one')), FACTS);
    expect(s3.objects.get(`/pictures/${KEY}`)).toMatchObject(FACTS);
  });

  it('that refuses makes a put fail', async () => {
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'another');
    const store = createS3Store({ bucket: 'pictures', region: 'eu-test-1', endpoint: s3.url });
    await expect(store.put(KEY, from(Buffer.from('one')), FACTS)).rejects.toMatchObject({
      $metadata: { httpStatusCode: 403 },
    });
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', S3_KEY.secret);
  });
});
