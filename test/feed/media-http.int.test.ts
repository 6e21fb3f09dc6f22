import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { viewerOf } from './feed-callers.js';
import { form, type MediaHttp, openMediaHttp, removeAll } from './media-http-world.js';

let http: MediaHttp;
beforeAll(async () => {
  http = await openMediaHttp();
});
afterAll(() => http?.close());

const send = (
  body: string | FormData,
  headers: Record<string, string> = { authorization: `Bearer ${http.token}` },
) => fetch(`${http.url}/api/v1/media`, { method: 'POST', body, headers });

describe('POST /api/v1/media', () => {
  afterEach(() => removeAll(http));

  it('answers 201 with an id that is the caller’s', async () => {
    const answer = await send(form(http.image));
    expect(answer.status).toBe(201);
    const { media_id: mediaId, ...rest } = (await answer.json()) as Record<string, string>;
    expect(rest).toEqual({ kind: 'image', state: 'uploaded' });
    expect((await http.media.findVisible(viewerOf('ann'), [mediaId!])).size).toBe(1);
    expect((await http.media.findVisible(viewerOf('eve'), [mediaId!])).size).toBe(0);
  });

  it('looks at the content, not at the name', async () => {
    const unnamed = await send(form(http.image, { name: 'notes.txt', type: 'text/plain' }));
    expect(unnamed.status).toBe(201);
    const text = await send(form(Buffer.from('just a text')));
    expect([text.status, await text.json()]).toEqual([
      415,
      { error: { code: 'MEDIA_TYPE_UNSUPPORTED', message: expect.any(String), path: ['file'] } },
    ]);
  });

  it.each<[string, () => string | FormData, number, string]>([
    ['an empty file', () => form(Buffer.alloc(0)), 400, 'MEDIA_EMPTY'],
    [
      'too large an image',
      () => form(Buffer.concat([http.image, Buffer.alloc(100_000)])),
      413,
      'MEDIA_TOO_LARGE',
    ],
    ['more than anything may have', () => form(Buffer.alloc(2_000_000)), 413, 'MEDIA_TOO_LARGE'],
    ['another field', () => form(http.image, { field: 'picture' }), 400, 'BAD_USER_INPUT'],
    ['a form without a file', () => Object.assign(new FormData(), {}), 400, 'BAD_USER_INPUT'],
    ['a bare text', () => 'x', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ])('refuses %s with a code, and keeps nothing', async (_, body, status, code) => {
    const answer = await send(body());
    expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([
      status,
      code,
    ]);
    await http.nothingLeft();
  });

  type Part = readonly [name: string, value: string | (() => Uint8Array)];
  function formOf(...parts: readonly Part[]): FormData {
    const data = new FormData();
    for (const [name, value] of parts)
      data.append(name, typeof value === 'string' ? value : new Blob([Uint8Array.from(value())]));
    return data;
  }
  const file: Part = ['file', () => http.image];
  const many = Array.from({ length: 10 }, (_, number): Part => [`field${number}`, 'x']);

  it.each<[string, ...Part[]]>([
    ['another file', file, file],
    ['a large file that is no image', file, ['file', () => Buffer.alloc(190_000)]],
    [
      'another file, both of few bytes',
      ['file', () => http.image.subarray(0, 99)],
      ['file', () => Buffer.alloc(1)],
    ],
    ['a file of another name', file, ['more', () => http.image]],
    ['a text of the same name', file, ['file', 'x']],
    ['a text of the same name before it', ['file', 'x'], file],
    ['a text of the same name behind many others', file, ...many, ['file', 'x']],
  ])('refuses a file beside %s, and keeps nothing', async (_, ...parts) => {
    const answer = await send(formOf(...parts));
    const { error } = (await answer.json()) as { error: unknown };
    expect([answer.status, error]).toEqual([
      400,
      expect.objectContaining({ code: 'BAD_USER_INPUT', path: ['file'] }),
    ]);
    await http.nothingLeft();
  });

  it('takes a file beside other fields', async () => {
    expect((await send(formOf(...many.slice(5), file, ...many.slice(0, 5)))).status).toBe(201);
  });

  it('needs a token', async () => {
    expect((await send(form(http.image), {})).status).toBe(401);
    await http.nothingLeft();
  });

  it('says that the header has no boundary, and not that the upload is incomplete', async () => {
    const headers = { authorization: `Bearer ${http.token}`, 'content-type': 'multipart/form-data' };
    const body = await new Response(form(http.image)).arrayBuffer();
    const answer = await fetch(`${http.url}/api/v1/media`, { method: 'POST', body, headers });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: { code: 'BAD_USER_INPUT', message: expect.stringContaining('boundary'), path: ['file'] },
    });
  });
});
