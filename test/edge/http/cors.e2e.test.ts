import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startToy, type Toy } from '../toy-edge.js';

let toy: Toy;
let development: Toy;
beforeAll(async () => {
  toy = await startToy();
  development = await startToy({ development: true });
});
afterAll(() => Promise.all([toy.edge.close(), development.edge.close()]));

describe('CORS', () => {
  const preflight = (url: string, origin: string, asked: string) =>
    fetch(`${url}/graphql`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': asked,
      },
    });

  test.each([
    'authorization',
    'content-type',
    'idempotency-key',
    'apollographql-client-name',
    'apollographql-client-version',
    'apollo-require-preflight',
    'traceparent',
    'tracestate',
    'baggage',
  ])('lets clients send %s', async (header) => {
    const { status, headers } = await preflight(toy.url, 'https://app.example', header);
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-headers')?.split(', ')).toContain(header);
    expect(headers.get('access-control-allow-methods')?.split(', ')).toContain('POST');
    expect(Number(headers.get('access-control-max-age'))).toBeGreaterThanOrEqual(600);
    expect(headers.get('vary')).toMatch(/\borigin\b/i);
  });

  test.each([
    ['http://localhost:3000', true],
    ['http://localhost', true],
    ['https://localhost:5173', true],
    ['http://127.0.0.1:8080', true],
    ['http://[::1]:4321', true],
    ['http://app.localhost:3000', true],
    ['http://localhost.evil.example', false],
    ['http://notlocalhost:3000', false],
    ['http://localhost:3000.evil.example', false],
    ['https://evil.example', false],
    ['null', false],
  ])('of %s is allowed in development: %s, and never in production', async (origin, allowed) => {
    const inDevelopment = await preflight(development.url, origin, 'content-type');
    expect(inDevelopment.headers.get('access-control-allow-origin')).toBe(allowed ? origin : null);
    const inProduction = await preflight(toy.url, origin, 'content-type');
    expect(inProduction.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('answers vary by origin, also those to requests without one', async () => {
    expect((await fetch(`${toy.url}/healthz`)).headers.get('vary')).toMatch(/\borigin\b/i);
  });
});

test('browsers of localhost are not bound to TLS', async () => {
  const { headers } = await fetch(`${development.url}/healthz`);
  expect(headers.get('strict-transport-security')).toBeNull();
});
