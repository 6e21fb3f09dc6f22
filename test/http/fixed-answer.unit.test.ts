import fastify from 'fastify';
import { expect, it } from 'vitest';
import { fixedAnswer } from '../../src/http/fixed-answer.js';

const app = fastify();
app.get('/fixed', fixedAnswer('text/plain', 'the same for everyone'));

const encodingFor = async (accepted?: string) => {
  const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
  return (await app.inject({ url: '/fixed', headers })).headers['content-encoding'];
};

it.each(['gzip', 'br;q=1.0, GZIP;q=0.5', ' gzip ; q=0.001', 'deflate, gzip', '*'])(
  'a client that takes gzip gets it: %s',
  async (accepted) => expect(await encodingFor(accepted)).toBe('gzip'),
);

it.each([undefined, '', 'identity', 'gzip;q=0', 'gzip ; q=0.000, br', 'xgzip', 'br'])(
  'a client that does not take gzip gets plain text: %s',
  async (accepted) => expect(await encodingFor(accepted)).toBeUndefined(),
);
