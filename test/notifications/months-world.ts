import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { sql as sweepSql } from '../../src/domains/notifications/delivery/sweep.sql.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase } from '../support/database.js';

const { makeMonths } = sweepSql;
export const DAY_MS = 86_400_000;
export const MONTHLY = ['notification_requests', 'deliveries', 'target_outcomes'] as const;

export const idAt = (at: Date): string => v7({ msecs: at.getTime() });
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7).replace('-', '');
/** The first instant of the month that is so many after this one. */
export const monthAfter = (at: Date, months: number): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months));

export interface MonthsWorld {
  readonly postgres: Postgres;
  rows<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The first instant that is not in the first partition. */
  firstMonth(): Promise<Date>;
  /** Makes this month and the next, as a worker that sweeps then. */
  sweepAt(at: Date): Promise<void>;
  /** Accepts a request of one push to a user of its own, at that time. */
  accept(at: Date, options?: AcceptOptions): Promise<Accepted>;
  /** Makes a step of a delivery's life. */
  step(deliveryId: string, at: Date, status: string, more?: object): Promise<readonly Stepped[]>;
  close(): Promise<void>;
}

export interface AcceptOptions {
  readonly channels?: readonly string[];
  readonly fallbackChannels?: readonly string[];
  readonly status?: string;
}

export interface Accepted {
  readonly userId: string;
  readonly requestId: string;
  readonly deliveryIds: readonly string[];
}

export interface Stepped {
  readonly deliveryId: string;
  readonly fallbackId: string | null;
  readonly fallbackChannel: string | null;
}

export const stepAt = (deliveryId: string, at: Date, status: string, more: object = {}) => ({
  ...{ deliveryId, at, status, attempt: 0, leaseToken: null, targets: [], failure: null },
  events: [{ event: status === 'DEAD' ? 'DLQ' : status, status }],
  ...more,
});

export async function openMonthsWorld(): Promise<MonthsWorld> {
  const database = await createTestDatabase();
  const postgres = openPostgres(database.url, { max: 6, applicationName: 'test', onError: () => undefined });

  async function rows<Row extends object>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await postgres.query<Row & Record<string, unknown>>(sql, values)).rows;
  }

  return {
    postgres,
    rows,
    firstMonth: async () =>
      (await rows<{ at: Date }>("SELECT partition_until('deliveries_first'::regclass) AS at"))[0]!.at,
    async sweepAt(at) {
      for (const table of MONTHLY) {
        const today = at.toISOString().slice(0, 10);
        const make = () => postgres.query(makeMonths, [table, today]);
        while ((await make()).rows[0]!.made > 0);
      }
    },
    async accept(at, { channels = ['push'], fallbackChannels = [], status = 'QUEUED' } = {}) {
      const [requestId, userId] = [idAt(at), randomUUID()];
      const deliveries = channels.map((channel) => ({
        ...{ deliveryId: idAt(at), userId, channel, status, content: {}, fallbackChannels },
        ...(status === 'SCHEDULED' && { dueAt: at }),
        steps: [{ event: 'CREATED', detail: null }],
      }));
      const request = {
        ...{ requestId, producer: 'shop', notificationId: userId, bodyHash: '00', response: {}, type: 'T' },
        ...{ priority: 'high', templateId: 't', correlationId: 'c', maxRetries: 5, at, deliveries },
      };
      await rows("SELECT * FROM accept_notifications($1, '1 day')", [JSON.stringify([request])]);
      return { userId, requestId, deliveryIds: deliveries.map(({ deliveryId }) => deliveryId) };
    },
    step: (deliveryId, at, status, more) =>
      rows<Stepped>('SELECT * FROM apply_transitions($1)', [
        JSON.stringify([stepAt(deliveryId, at, status, more)]),
      ]),
    async close() {
      await postgres.close();
      await database.drop();
    },
  };
}
