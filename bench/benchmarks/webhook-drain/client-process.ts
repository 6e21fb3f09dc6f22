import { Agent, request } from 'node:http';
import { answerParent } from '../../harness/answer-parent.ts';
import { loadPackageOfProduct } from '../../harness/product.ts';
import { bodyOf, idOf } from './events.ts';

/** What the peer's process does for the benchmark. */
export type ClientMethods = typeof methods;

const methods = {
  /** What most would write: signs each event and posts it, so many at once, and records nothing. */
  async send(url: string, events: number, atOnce: number): Promise<void> {
    const { Webhook } = loadPackageOfProduct<typeof import('standardwebhooks')>('standardwebhooks');
    const signer = new Webhook(Buffer.alloc(32, 1).toString('base64'));
    const agent = new Agent({ keepAlive: true });
    let next = 0;
    const one = (n: number): Promise<void> =>
      new Promise((resolve, reject) => {
        const [id, body, at] = [idOf(n), bodyOf(n), new Date()];
        const headers = {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
          'webhook-signature': signer.sign(id, at, body),
        };
        request(url, { method: 'POST', agent, headers })
          .on('response', (response) => response.resume().once('end', resolve))
          .on('error', reject)
          .end(body);
      });
    const worker = async (): Promise<void> => {
      while (next < events) await one(next++);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    agent.destroy();
  },
};

answerParent(methods);
