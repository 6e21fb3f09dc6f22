import { z } from 'zod';

/** What `/openapi.json` says of a route. The route itself reads requests with the same schemas. */
export interface RestDocument {
  /** A name for generated clients, unique among all routes. */
  readonly operationId: string;
  readonly tag: RestTag;
  readonly summary: string;
  readonly description?: string;
  /** `anyone`: no token is asked for. `producer`: one of a producer or an admin. Absent: a signed-in user. */
  readonly access?: 'anyone' | 'producer';
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly headers?: z.ZodType;
  readonly body?: RestBody;
  /** By status: 2xx and 3xx. */
  readonly answers: Readonly<Record<number, RestBody>>;
  /** Beside those that every route may answer: 400, 401, 429, 500, 503, and with a body 413 and 415. */
  readonly refusals?: readonly RefusalStatus[];
  /** Of the refusals those that may be a page for a person, instead of JSON. */
  readonly pages?: readonly RefusalStatus[];
}

/** A body of a request or an answer: JSON where it names no other media type, none where it has no schema. */
export interface RestBody {
  readonly description: string;
  readonly schema?: z.ZodType;
  readonly mediaType?: string;
}

export const restTags = {
  Feed: 'The feed of a user, and posts.',
  Media: 'Pictures and videos of posts.',
  Notifications: 'Notifications by push, SMS, mail and inbox.',
  'Provider callbacks': 'What providers report later. Each request is signed by its provider.',
  'Links in mails': 'Where mails lead. Each link is signed; no token is needed.',
  Orders: 'Orders of customers.',
  Accounts: 'Accounts, and transfers between them.',
} as const;
export type RestTag = keyof typeof restTags;

export const refusalMeanings = {
  400: 'The request is malformed, or a field is wrong in itself.',
  401: 'There is no token or key, or it is not valid.',
  403: 'The caller may not do this.',
  404: 'There is no such thing, or the caller may not see it.',
  409: 'Another command came first, or the same key was used for something else.',
  412: 'The condition in the headers does not hold.',
  413: 'The body is too large.',
  415: 'The body is of another media type than this route reads, or is compressed.',
  416: 'The file ends before the range begins.',
  422: 'A rule refuses it; `code` says which.',
  429: 'A rate limit is exceeded.',
  500: 'An error of the server. `message` has the id under which it was logged.',
  503: 'Something that the server needs does not answer. Try again after `Retry-After`.',
  504: 'The read model did not reach `after_version` within 5 s.',
} as const;
export type RefusalStatus = keyof typeof refusalMeanings;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent: the route is not in `/openapi.json`. */
    rest?: RestDocument;
  }
}

/** Every refusal but 429. */
export const errorSchema = z.object({
  error: z.object({
    code: z.string().describe('A stable code in upper snake case; docs/errors.md lists all of them.'),
    message: z.string().describe('One sentence for a person. Its wording may change.'),
    path: z
      .array(z.string())
      .nullable()
      .describe(
        'The part of the request that is at fault, from the outside inwards. Null where no single part is.',
      ),
  }),
});

/** 429. */
export const rateLimitErrorSchema = z.object({
  error: z.object({
    code: z.literal('RATE_LIMIT_EXCEEDED'),
    message: z.string().describe('One sentence for a person. Its wording may change.'),
    retry_after: z.int().nullable().describe('Seconds to wait. Null where waiting does not help.'),
    limit: z.int().describe('Requests or points in a window.'),
    window: z.string().describe('The length of the window: `1m`, `90s`.'),
    documentation_url: z.string().describe('Where limits are explained.'),
  }),
});

/** A point in time, RFC 3339. */
export const dateTime = (description: string) =>
  z.unknown().meta({ type: 'string', format: 'date-time', description });

/** A JSON number with all digits of the amount. */
export const money = (description: string) => z.unknown().meta({ type: 'number', description });

/** A raw id in the path. */
export const idInPath = (of: string) => z.object({ id: z.string().describe(`The raw id of the ${of}.`) });

/** Where a command's or a post's id may stand too. */
export const idempotencyKey = (description: string) =>
  z.object({ 'Idempotency-Key': z.string().optional().describe(description) });
