import { request as httpRequest } from 'node:http';

/** The answer as it is on the wire: `fetch` would decompress it. */
export function rawAnswer(url: string, headers: Record<string, string> = {}, method = 'GET', body = '') {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    headers: Record<string, string | string[] | undefined>;
    body: Buffer;
  }>();
  httpRequest(url, { method, headers }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () =>
      resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks) }),
    );
  })
    .on('error', reject)
    .end(body);
  return promise;
}
