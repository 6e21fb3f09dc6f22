import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { DeadlineExceeded } from '../../src/platform/deadline.js';
import { unavailability } from '../../src/platform/unavailable.js';

const ofPostgres = (code: string): Error => Object.assign(new pg.DatabaseError('no', 0, 'error'), { code });
const ofSystem = (code: string): Error => Object.assign(new Error(`${code}: no`), { code, syscall: 'write' });
const ofRedis = (message: string): Error => Object.assign(new Error(message), { name: 'ReplyError' });

describe('a dependency that cannot serve for now is distinguished from a fault of the code', () => {
  it.each(['53100', '53200', '53000', '58030'])('Postgres has no room: %s', (code) => {
    expect(unavailability(ofPostgres(code))).toEqual({ retryAfterSeconds: 30 });
  });

  it.each([
    ...['53300', '53400', '57P01', '57P02', '57P03', '57P05', '57014', '08006', '25006', '25P03'].map(
      ofPostgres,
    ),
    new Error('timeout exceeded when trying to connect'),
    new Error('Connection terminated unexpectedly'),
    ofSystem('ECONNREFUSED'),
    Object.assign(new Error('Too many connections'), { code: 'P2037' }),
    Object.assign(new Error('Can’t reach database server'), { code: 'P1001' }),
    new DeadlineExceeded(500),
  ])('Postgres is away, starting, busy or read-only: %s', (error) => {
    expect(unavailability(error)).toEqual({ retryAfterSeconds: 2 });
  });

  it.each([
    ...['55P03', '40P01', '40001'].map(ofPostgres),
    Object.assign(new Error('Transaction failed due to a write conflict or a deadlock'), { code: 'P2034' }),
    Object.assign(new Error('raw query failed'), {
      meta: { driverAdapterError: new Error('no', { cause: { originalCode: '40P01' } }) },
    }),
  ])('another transaction stood in the way, and this one was rolled back as a whole: %s', (error) => {
    expect(unavailability(error)).toEqual({ retryAfterSeconds: 2 });
  });

  it.each([
    new Error('Connection is closed.'),
    new Error('Command timed out'),
    new Error("Stream isn't writeable and enableOfflineQueue options is false"),
    new Error("Socket timeout. Expecting data, but didn't receive any in 5000ms."),
    new Error('Reached the max retries per request limit (which is 3). Refer to "maxRetriesPerRequest"'),
    new Error('Redis is away: what is cached cannot be refreshed'),
    ofRedis("OOM command not allowed when used memory > 'maxmemory'."),
    ofRedis("READONLY You can't write against a read only replica."),
    ofRedis('LOADING Redis is loading the dataset in memory'),
    ofRedis('MISCONF Redis is configured to save RDB snapshots'),
    ofRedis('CLUSTERDOWN The cluster is down'),
    ofRedis('ERR Error running script (call to f_1): @user_script:1: -OOM command not allowed'),
  ])('Redis is away, full, read-only or loading: %s', (error) => {
    expect(unavailability(error)).toEqual({ retryAfterSeconds: 2 });
  });

  it.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE', 'ENOMEM'])(
    'the media disk is full: %s',
    (code) => {
      expect(unavailability(ofSystem(code))).toEqual({ retryAfterSeconds: 30 });
    },
  );

  it.each([
    Object.assign(new Error('We encountered an internal error'), { $metadata: { httpStatusCode: 500 } }),
    Object.assign(new Error('Reduce your request rate'), {
      name: 'SlowDown',
      $metadata: { httpStatusCode: 503 },
    }),
    Object.assign(new Error('socket hang up'), { name: 'TimeoutError' }),
  ])('the S3 store is away: %s', (error) => {
    expect(unavailability(error)).toEqual({ retryAfterSeconds: 2 });
  });

  it('the reason may stand behind another error', () => {
    const cause = ofPostgres('53100');
    expect(unavailability(new Error('the post was not written', { cause }))).toEqual({
      retryAfterSeconds: 30,
    });
    expect(unavailability(new AggregateError([new Error('no'), cause]))).toEqual({ retryAfterSeconds: 30 });
    const prisma = { meta: { driverAdapterError: { cause: { originalCode: '53100' } } } };
    expect(unavailability(Object.assign(new Error('raw query failed'), prisma))).toBeNull();
    const adapter = Object.assign(new Error('raw query failed'), {
      meta: { driverAdapterError: new Error('no', { cause: { originalCode: '53100' } }) },
    });
    expect(unavailability(adapter)).toEqual({ retryAfterSeconds: 30 });
  });

  it.each([
    ...['23505', '42P01', '22P02', '40002', 'P0001'].map(ofPostgres),
    new TypeError('x is not a function'),
    ofRedis('WRONGTYPE Operation against a key holding the wrong kind of value'),
    ofSystem('ENOENT'),
    Object.assign(new Error('Access Denied'), { name: 'AccessDenied', $metadata: { httpStatusCode: 403 } }),
    'a text',
    undefined,
  ])('a fault of ours stays one: %s', (error) => {
    expect(unavailability(error)).toBeNull();
  });

  it('an error that is its own cause is looked at once', () => {
    const error = new Error('round');
    error.cause = error;
    expect(unavailability(error)).toBeNull();
  });
});
