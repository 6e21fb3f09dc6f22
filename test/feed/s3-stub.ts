import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What the stub keeps of an object. */
export interface Kept {
  readonly body: Buffer;
  readonly contentType: string | undefined;
  readonly cacheControl: string | undefined;
}

/** A store that speaks as much of S3 as the product asks for, and believes only requests that are signed right. */
export interface S3Stub {
  readonly url: string;
  /** By `/bucket/key`. */
  readonly objects: Map<string, Kept>;
  /** Multipart uploads that were neither completed nor given up. */
  readonly open: Map<string, Map<number, Buffer>>;
  /** `METHOD /path?query` of every request. */
  readonly requests: string[];
  close(): Promise<void>;
}

export const S3_KEY = { id: 'AKIATEST', secret: 'a secret of the test' };

export async function startS3Stub(): Promise<S3Stub> {
  const objects = new Map<string, Kept>();
  const open = new Map<string, Map<number, Buffer>>();
  const headers = new Map<string, Kept>();
  const requests: string[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://stub');
    const body = await buffer(request);
    requests.push(`${request.method} ${url.pathname}${url.search}`);
    const send = (status: number, text: string | Buffer = '', more: Record<string, string> = {}): void =>
      void response.writeHead(status, more).end(text);
    if (!isSigned(request, url, body)) return send(403, xml('Error', '<Code>SignatureDoesNotMatch</Code>'));
    const { pathname: path, searchParams: query } = url;
    const kept: Kept = {
      body,
      contentType: request.headers['content-type'],
      cacheControl: request.headers['cache-control'],
    };
    const upload = query.get('uploadId');
    if (request.method === 'POST' && query.has('uploads')) {
      const id = `upload-${open.size}`;
      open.set(id, new Map());
      headers.set(id, kept);
      return send(200, xml('InitiateMultipartUploadResult', `<UploadId>${id}</UploadId>`));
    }
    if (request.method === 'PUT' && upload !== null) {
      open.get(upload)?.set(Number(query.get('partNumber')), body);
      return send(200, '', { etag: `"${query.get('partNumber')}"` });
    }
    if (request.method === 'POST' && upload !== null) {
      const parts = [...(open.get(upload) ?? [])].sort(([a], [b]) => a - b).map(([, part]) => part);
      objects.set(path, { ...headers.get(upload)!, body: Buffer.concat(parts) });
      open.delete(upload);
      return send(200, xml('CompleteMultipartUploadResult', '<ETag>"all"</ETag>'));
    }
    if (request.method === 'DELETE' && upload !== null) {
      open.delete(upload);
      return send(204);
    }
    if (request.method === 'PUT') {
      objects.set(path, kept);
      return send(200, '', { etag: '"one"' });
    }
    if (request.method === 'POST' && query.has('delete')) {
      for (const [, key] of body.toString().matchAll(/<Key>([^<]*)<\/Key>/g))
        objects.delete(`${path.replace(/\/$/, '')}/${key}`);
      return send(200, xml('DeleteResult', ''));
    }
    const found = objects.get(path);
    if (request.method !== 'GET' || !found) return send(404, xml('Error', '<Code>NoSuchKey</Code>'));
    send(200, found.body);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    open,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const xml = (name: string, content: string): string =>
  `<?xml version="1.0"?><${name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</${name}>`;

/** AWS Signature Version 4, by its specification and none of the product's code. */
function isSigned({ method, headers }: IncomingMessage, url: URL, body: Buffer): boolean {
  const [, id, scope = '', signed = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const bodyHash = String(headers['x-amz-content-sha256']);
  if (id !== S3_KEY.id || (bodyHash !== 'UNSIGNED-PAYLOAD' && bodyHash !== sha256(body))) return false;
  const query = [...url.searchParams]
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .sort();
  const named = signed.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, url.pathname, query.join('&'), named.join(''), signed, bodyHash].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(Buffer.from(canonical))].join('\n');
  const key = scope
    .split('/')
    .reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${S3_KEY.secret}`);
  return hmac(key, text).toString('hex') === signature;
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
