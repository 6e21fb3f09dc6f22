import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../src/domains/limits/counters/guarded-redis.js';

class ReplyError extends Error {
  override name = 'ReplyError';
}

describe('what Redis answers in place of a count', () => {
  it.each([
    'LOADING Redis is loading the dataset in memory',
    "READONLY You can't write against a read only replica. script: 5c1e, on @user_script:1.",
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    "OOM command not allowed when used memory > 'maxmemory'. script: 5c1e, on @user_script:1.",
    "ERR Error running script (call to f_5c1e): @user_script:1: @user_script: 1: -OOM command not allowed when used memory > 'maxmemory'.",
    'MISCONF Redis is configured to save RDB snapshots, but it is currently not able to persist on disk.',
    'NOREPLICAS Not enough good replicas to write.',
    'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.',
    'CLUSTERDOWN The cluster is down',
    'MOVED 3999 127.0.0.1:6381',
    'NOAUTH Authentication required.',
  ])('means that this node cannot count now: %s', (message) => {
    expect(refusalOf(new ReplyError(message))).toEqual({ errorType: 'command', nodeIsUnfit: true });
  });

  it('means the same when a Cluster sends us round in circles', () => {
    const error = new Error('Too many Cluster redirections. Last error: ReplyError: MOVED 1 127.0.0.1:7000');
    expect(refusalOf(error)).toEqual({ errorType: 'command', nodeIsUnfit: true });
  });

  it.each([
    'ERR user_script:1: Script attempted to access nonexistent global variable. script: 5c1e, on @user_script:1.',
    'WRONGTYPE Operation against a key holding the wrong kind of value script: 5c1e, on @user_script:1.',
    "CROSSSLOT Keys in request don't hash to the same slot",
    "NOPERM User counters has no permissions to run the 'zadd' command script: 5c1e, on @user_script:1.",
  ])('is no reason to open the breaker of the node: %s', (message) => {
    expect(refusalOf(new ReplyError(message))).toEqual({ errorType: 'command', nodeIsUnfit: false });
  });

  it('is missing when the connection is', () => {
    expect(refusalOf(new Error('Connection is closed.'))).toEqual({
      errorType: 'connection',
      nodeIsUnfit: true,
    });
  });
});
