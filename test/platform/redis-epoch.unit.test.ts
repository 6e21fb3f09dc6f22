import { expect, it } from 'vitest';
import { epochOf, runIdIn, runIdOf } from '../../src/platform/redis/redis-epoch.js';

const server = '# Server\r\nredis_version:7.2.0\r\nrun_id:abc\r\n';
const replication = '# Replication\r\nrole:master\r\nmaster_replid:def\r\n';

it('the run id of a server is found in its answer and in its lives', () => {
  expect(runIdIn(server)).toBe('abc');
  expect(runIdOf(`${epochOf(server, replication)}.2`)).toBe('abc');
});

it.each([
  ['its run id', server.replace('run_id:abc', 'redis_mode:standalone'), replication],
  ['the value of its run id', server.replace('abc', ''), replication],
  ['its replication id', server, replication.replace('master_replid:def', 'connected_slaves:0')],
  ['everything', '', ''],
])('a server that hides %s has no epoch: it would look the same as another', (_, ...told) => {
  expect(() => epochOf(...(told as [string, string]))).toThrow('does not show its');
});
