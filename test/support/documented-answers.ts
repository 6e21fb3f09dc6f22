import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { registerOpenApi } from '../../src/http/open-api.js';

/**
 * Holds every answer of the routes that are registered from here on against `/openapi.json`: its status, its media type
 * and its body; and what was accepted against the schema of the request. Whatever the document does not say is answered
 * 500 instead, with the reason.
 */
export async function holdAnswersToDocument(app: FastifyInstance): Promise<void> {
  await registerOpenApi(app, { page: false });
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  addFormats.default(ajv);
  // Before anybody asks: a server that stands still for it would bring tests' events out of order.
  app.addHook('onReady', (done) => {
    ajv.addSchema(JSON.parse(JSON.stringify(app.swagger())), 'document');
    done();
  });

  function assertMatches(pointer: readonly string[], value: unknown): void {
    const at = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
    const isValid = ajv.getSchema(`document#/${at.join('/')}`);
    if (!isValid) throw new Error(`the document has no ${pointer.join(' > ')}`);
    if (isValid(value)) return;
    throw new Error(`${pointer.join(' > ')}: ${ajv.errorsText(isValid.errors)}: ${JSON.stringify(value)}`);
  }

  function check(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    const { url, config } = request.routeOptions;
    if (!config.rest || url === undefined) return;
    const path = url.replace('/*', '/{*}').replaceAll(/:(\w+)/g, '{$1}');
    const operation = ['paths', path, request.method === 'HEAD' ? 'get' : request.method.toLowerCase()];
    const answer = [...operation, 'responses', String(reply.statusCode)];
    const said = answer.reduce<unknown>(
      (part, name) => (part as Record<string, unknown>)?.[name],
      app.swagger(),
    );
    if (!said) throw new Error(`the document does not know ${answer.join(' > ')}`);
    const types = Object.keys((said as { content?: object }).content ?? {});
    const type = String(reply.getHeader('content-type') ?? '').split(';')[0]!;
    if (types.length === 0 || types.includes('*/*')) return;
    if (!types.includes(type)) throw new Error(`${answer.join(' > ')} is ${type}, not ${types.join()}`);
    if (type !== 'application/json' || typeof payload !== 'string') return;
    assertMatches([...answer, 'content', type, 'schema'], JSON.parse(payload));
    const isAccepted = reply.statusCode < 300 && config.rest.body && !config.rest.body.mediaType;
    if (isAccepted) assertMatches([...operation, 'requestBody', 'content', type, 'schema'], request.body);
  }

  app.addHook('onSend', (request, reply, payload, done) => {
    try {
      check(request, reply, payload);
      done(null, payload);
    } catch (error) {
      reply.code(500).type('application/json');
      done(null, JSON.stringify({ undocumented: String(error) }));
    }
  });
}
