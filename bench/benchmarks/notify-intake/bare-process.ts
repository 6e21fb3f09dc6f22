import Fastify from 'fastify';
import pg from 'pg';
import { answerParent } from '../../harness/answer-parent.ts';
import { path } from '../notify-ground/people.ts';

/** What the bare server does for the benchmark. */
export type BareMethods = typeof methods;

/** Twice as many as the product's processes open: with 10 and with 40 it was slower. */
const connections = 20;
const insert = {
  name: 'insert',
  text: 'INSERT INTO bare_requests (producer, notification_id, body) VALUES ($1, $2, $3)',
};

const methods = {
  /** The least that can be called accepting: one row a request, committed each by itself. Nobody is asked who he is. */
  async listen(databaseUrl: string): Promise<string> {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: connections });
    await pool.query(
      'CREATE TABLE bare_requests (producer text, notification_id text, body jsonb, PRIMARY KEY (producer, notification_id))',
    );
    const server = Fastify();
    server.post(path, async (request, reply) => {
      const body = request.body as { notification_id: string; recipients: readonly unknown[] };
      await pool.query({ ...insert, values: ['producer', body.notification_id, JSON.stringify(body)] });
      return reply.code(202).send({ status: 'accepted', notifications_queued: body.recipients.length });
    });
    return server.listen({ host: '127.0.0.1', port: 0 });
  },
};

answerParent(methods);
