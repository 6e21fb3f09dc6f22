import { expect, it } from 'vitest';
import { epochOf, lifeIn, type ServerLife } from '../../src/platform/redis/redis-epoch.js';

const server = '# Server\r\nredis_version:7.2.0\r\nrun_id:abc\r\n';
const replication = '# Replication\r\nrole:master\r\nmaster_replid:def\r\n';

it('the epoch of one server is its run id and its replication id, as versions before have it', () => {
  expect(epochOf([lifeIn(server, replication)])).toBe('abc/def');
});

it.each([
  ['its run id', server.replace('run_id:abc', 'redis_mode:standalone'), replication],
  ['the value of its run id', server.replace('abc', ''), replication],
  ['its replication id', server, replication.replace('master_replid:def', 'connected_slaves:0')],
  ['everything', '', ''],
])('a server that hides %s has no epoch: it would look the same as another', (_, ...told) => {
  expect(() => lifeIn(...(told as [string, string]))).toThrow('does not show its');
});

const life = (runId: string, replicationId = 'r'): ServerLife => ({ runId, replicationId });
const serversIn = (epoch: string): string | undefined => epoch.split('/')[0];

it('several servers have one epoch, in whichever order they answer, and however many connections lead to one', () => {
  expect(epochOf([life('a'), life('b')])).toBe(epochOf([life('b'), life('a'), life('b')]));
  expect(epochOf([life('a'), life('a')])).toBe('a/r');
});

it('the epoch of several ends when one of them begins another life, joins or leaves', () => {
  const before = epochOf([life('a'), life('b')]);
  const promoted = epochOf([life('a'), life('b', 's')]);
  expect(promoted).not.toBe(before);
  expect(serversIn(promoted)).toBe(serversIn(before));
  for (const after of [[life('a'), life('c')], [life('a')], [life('a'), life('b'), life('c')]])
    expect(serversIn(epochOf(after))).not.toBe(serversIn(before));
});
