import Fastify from 'fastify';
import { Redis } from 'ioredis';
import { answerParent } from '../../harness/answer-parent.ts';
import type { Trips } from './recording.ts';

/** What the bare server does for the benchmark. */
export type BareMethods = typeof methods;

/** What one reader's page asks of Redis, and what it answers. */
export interface BarePage {
  readonly authorization: string;
  readonly trips: Trips;
  readonly answer: unknown;
}

const methods = {
  /** Sends the same commands in the same round trips, then writes an answer that was read before. It decides nothing. */
  async listen(redisUrl: string, pages: readonly BarePage[]): Promise<string> {
    const redis = new Redis(redisUrl);
    const byReader = new Map(pages.map((page) => [page.authorization, page]));
    const server = Fastify();
    server.post('/graphql', async (request, reply) => {
      const page = byReader.get(request.headers.authorization ?? '');
      if (!page) return reply.code(401).send();
      for (const commands of page.trips)
        await Promise.all(commands.map(([name = '', ...args]) => redis.call(name, ...args)));
      return reply.type('application/json').send(JSON.stringify(page.answer));
    });
    return server.listen({ host: '127.0.0.1', port: 0 });
  },
};

answerParent(methods);
