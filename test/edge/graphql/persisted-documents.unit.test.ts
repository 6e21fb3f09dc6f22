import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPersistedDocuments } from '../../../src/edge/index.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'documents-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function file(name: string, content: unknown): Promise<string> {
  const place = path.join(folder, name);
  await writeFile(place, typeof content === 'string' ? content : JSON.stringify(content));
  return place;
}

describe('files of persisted documents', () => {
  it('are objects of documents by id, or manifests of Apollo, and add up', async () => {
    const web = await file('web.json', { 'sha256:a': '{ me { id } }' });
    const phone = await file('phone.json', {
      format: 'apollo-persisted-query-manifest',
      version: 1,
      operations: [{ id: 'b', name: 'B', type: 'query', body: 'query B { me { id } }' }],
    });
    expect([...(await readPersistedDocuments([web, phone]))]).toEqual([
      ['a', '{ me { id } }'],
      ['b', 'query B { me { id } }'],
    ]);
  });

  it.each([
    ['is not there', undefined, /cannot be read/],
    ['is no JSON', '{', /is not JSON/],
    ['is a list', ['{ me { id } }'], /neither an object/],
    ['has numbers for documents', { a: 1 }, /neither an object/],
  ])('keep an api from starting by one line where one %s', async (_, content, reason) => {
    const place = content === undefined ? path.join(folder, 'nothing') : await file('bad.json', content);
    await expect(readPersistedDocuments([place])).rejects.toThrow(reason);
  });

  it('may repeat a document, and may not give its id to another', async () => {
    const first = await file('1.json', { a: '{ me { id } }' });
    const same = await file('2.json', { a: '{ me { id } }' });
    const other = await file('3.json', { a: '{ me { userId } }' });
    expect((await readPersistedDocuments([first, same])).size).toBe(1);
    await expect(readPersistedDocuments([first, other])).rejects.toThrow(/another document under a/);
  });
});
