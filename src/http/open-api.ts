import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import { z } from 'zod';
import { fixedAnswer } from './fixed-answer.js';
import { productVersion } from './product-version.js';
import {
  errorSchema,
  type RefusalStatus,
  type RestBody,
  type RestDocument,
  rateLimitErrorSchema,
  refusalMeanings,
  restTags,
} from './rest-document.js';

/** Of the page alone. Swagger UI writes styles into its elements; nothing comes from another host. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * `/openapi.json`: every REST route that is registered from here on, as OpenAPI 3.1, from the schemas that the routes
 * themselves read requests with. `/docs/api`, where it is wanted: a page to try it, which works without a network.
 */
export async function registerOpenApi(app: FastifyInstance, options: { page: boolean }): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.1',
      info: {
        title: 'tidings',
        version: productVersion,
        description:
          'The REST part of the API. Everything else is GraphQL, at `/graphql`. Errors are explained in docs/errors.md.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      tags: Object.entries(restTags).map(([name, description]) => ({ name, description })),
      components: {
        schemas: {
          Error: jsonSchema(errorSchema, 'output'),
          RateLimitError: jsonSchema(rateLimitErrorSchema, 'output'),
        },
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        },
      },
    },
    transform: ({ url, route }) => ({ url, schema: schemaOf(route) }),
  });
  if (options.page) {
    const { default: swaggerUi } = await import('@fastify/swagger-ui');
    await app.register(swaggerUi, {
      routePrefix: '/docs/api',
      staticCSP: PAGE_POLICY,
      uiConfig: { validatorUrl: null, persistAuthorization: true },
    });
  }
  let answer: ReturnType<typeof fixedAnswer> | undefined;
  app.get('/openapi.json', { config: { gate: 'open' } }, (request, reply) => {
    answer ??= fixedAnswer('application/json; charset=utf-8', JSON.stringify(app.swagger()));
    return answer(request, reply);
  });
}

/** A route as the plugin wants it. Fastify itself has no schemas of it: routes read and write for themselves. */
function schemaOf({ config, method }: RouteOptions): FastifySchema {
  const rest = config?.rest;
  if (!rest || method === 'HEAD') return { hide: true };
  const { operationId, tag, summary, description, access, params, query, headers, body, answers } = rest;
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: access === 'anyone' ? [] : [{ token: [] }, { apiKey: [] }],
    ...(params && { params: jsonSchema(params, 'input') }),
    ...(query && { querystring: jsonSchema(query, 'input') }),
    ...(headers && { headers: jsonSchema(headers, 'input') }),
    ...(body && { body: contentOf(body, 'input') }),
    response: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [status, contentOf(answer, 'output')]),
      ),
      ...Object.fromEntries(refusalsOf(rest).map((status) => [status, refusalOf(status, rest)])),
    },
  };
}

function refusalsOf({ access, body, refusals = [] }: RestDocument): readonly RefusalStatus[] {
  const ofToken = access === 'anyone' ? [] : ([401] as const);
  const ofBody = body ? ([413, 415] as const) : [];
  const all = new Set<RefusalStatus>([400, ...ofToken, ...refusals, ...ofBody, 429, 500, 503]);
  return [...all].sort((a, b) => a - b);
}

function refusalOf(status: RefusalStatus, { pages = [] }: RestDocument): object {
  const name = status === 429 ? 'RateLimitError' : 'Error';
  const isTemporary = status === 429 || status === 503;
  return {
    description: refusalMeanings[status],
    ...(isTemporary && { headers: { 'Retry-After': { type: 'integer', description: 'Seconds to wait.' } } }),
    content: {
      'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
      ...(pages.includes(status) && { 'text/html': { schema: { type: 'string' } } }),
    },
  };
}

function contentOf(
  { description, schema, mediaType = 'application/json' }: RestBody,
  io: 'input' | 'output',
): object {
  if (!schema) return { description, type: 'null' };
  return { description, content: { [mediaType]: { schema: jsonSchema(schema, io) } } };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...written } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return written;
}
