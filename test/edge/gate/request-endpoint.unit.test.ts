import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { endpointOf } from '../../../src/edge/gate/request-endpoint.js';

describe('the endpoint that a limit is kept by', () => {
  it.each([
    ['/graphql', '/graphql'],
    ['/api/orders/:id', '/api/orders/*'],
    ['/api/accounts/:account_id/summary', '/api/accounts/*/summary'],
    ['/api/:a/:b', '/api/*/*'],
    ['/near/:lat-:lng/radius/:r', '/near/*-*/radius/*'],
    ['/files/:name.png', '/files/*.png'],
    ['/at/:hour(^\\d{2})h:minute(^\\d{2})m', '/at/*h*m'],
    ['/nested/:id((?:a|b)/\\))/end', '/nested/*/end'],
    ['/posts/:id?', '/posts/*'],
    ['/orders/:id-::cancel', '/orders/*-:cancel'],
    ['/orders::cancel', '/orders:cancel'],
    ['/assets/*', '/assets/*'],
    ['*', '*'],
  ])('names the route %s as %s, whatever its parameters are', (pattern, name) => {
    expect(endpointOf('GET', pattern, '/as/asked?for=it')).toBe(`GET ${name}`);
    expect(endpointOf('GET', pattern, '/again')).toBe(`GET ${name}`);
  });

  it('is one for HEAD and GET, and another for each other method', () => {
    expect(endpointOf('HEAD', '/api/orders/:id', '')).toBe('GET /api/orders/*');
    expect(endpointOf('POST', '/api/orders/:id', '')).toBe('POST /api/orders/*');
  });

  it('is the path without its query where there is no route, cut to a bearable length', () => {
    expect(endpointOf('GET', undefined, '/nowhere/1?secret=x?y')).toBe('GET /nowhere/1');
    expect(endpointOf('HEAD', undefined, '?')).toBe('GET ');
    expect(endpointOf('GET', undefined, `/${'a'.repeat(10_000)}`)).toBe(`GET /${'a'.repeat(255)}`);
  });

  it('reads patterns as the router does', async () => {
    const app = fastify();
    const patterns = ['/near/:lat-:lng', '/at/:hour(^\\d{2})h:minute(^\\d{2})m', '/orders/:id-::cancel'];
    const heard: string[] = [];
    for (const pattern of patterns) {
      app.get(pattern, ({ method, routeOptions, url }) => {
        heard.push(endpointOf(method, routeOptions.url, url));
        return '';
      });
    }
    for (const url of ['/near/1-2', '/at/12h30m', '/orders/7-:cancel']) await app.inject(url);
    expect(heard).toEqual(['GET /near/*-*', 'GET /at/*h*m', 'GET /orders/*-:cancel']);
  });
});
