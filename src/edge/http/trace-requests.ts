import type { FastifyInstance } from 'fastify';
import { type Span, tracer } from '../../platform/tracing/tracing.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where it is not traced. */
    span: Span | null;
  }
}

/**
 * Makes a span of each request, which goes on with the trace that its client names (W3C Trace Context), where that is well-formed. Its
 * route stands for its path, which may name users. What is open to everybody, as probes and the files of pages are, is not traced.
 * Nothing where traces are off.
 */
export function traceRequests(app: FastifyInstance): void {
  const using = tracer();
  if (!using) return;
  app.decorateRequest('span', null);
  app.addHook('onRequest', (request, reply, done) => {
    const { config, url: route } = request.routeOptions;
    if (config.gate === 'open') return done();
    const { method, headers, protocol } = request;
    const span = using.openRequest({
      name: route ? `${method} ${route}` : method,
      kind: 'server',
      parent: textOf(headers.traceparent),
      tracestate: textOf(headers.tracestate),
      attributes: {
        'http.request.method': method,
        'url.scheme': protocol,
        ...(route && { 'http.route': route }),
      },
    });
    request.span = span;
    reply.raw.once('close', () => {
      const { statusCode, writableFinished } = reply.raw;
      span.set({ 'http.response.status_code': statusCode });
      if (!writableFinished) span.fail('client left');
      else if (statusCode >= 500) span.fail(String(statusCode));
      span.end();
    });
    span.run(done);
  });
  // What parsed the body was called by the connection.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.span) request.span.run(done);
    else done();
  });
}

const textOf = (header: unknown): string | undefined => (typeof header === 'string' ? header : undefined);
