import { GraphQLError, type GraphQLErrorExtensions, type SourceLocation } from 'graphql';
import { PublicError, type PublicErrorCode, RateLimitExceeded } from '../platform/errors.js';
import type { Ids } from '../platform/ids.js';
import type { Logger } from '../platform/logging/logger.js';
import { SHORTLY, unavailability } from '../platform/unavailable.js';
import type { LimitCode } from './graphql/document-limits.js';
import { NOT_STORABLE } from './text.js';

/** Codes of errors that GraphQL, Apollo or the edge raise about the request itself. */
export type RequestErrorCode = (typeof CODES)[number] | 'TOO_MANY_SUBSCRIPTIONS' | LimitCode;

const CODES = [
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_USER_INPUT',
  'BAD_REQUEST',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'PERSISTED_DOCUMENT_NOT_FOUND',
  'PERSISTED_DOCUMENT_REQUIRED',
] as const;
const REQUEST_ERROR_CODES: ReadonlySet<unknown> = new Set(CODES);

/** An error as clients see it. Nothing of it needs masking any more. */
export class PresentedError extends GraphQLError {
  override readonly locations: ReadonlyArray<SourceLocation> | undefined;

  constructor(
    message: string,
    extensions: GraphQLErrorExtensions,
    at?: Pick<GraphQLError, 'path' | 'locations'>,
  ) {
    super(shortened(message), { extensions, ...(at?.path && { path: at.path }) });
    this.locations = at?.locations;
  }
}

/** The request in which an error occurred. */
export interface Asker {
  /** Writes the correlation id with every line. */
  readonly logger: Logger;
}

export type Masking = ReturnType<typeof createMasking>;

/** The one point where errors become what clients may know of them. */
export function createMasking(options: { ids: Ids; suggestions: boolean; onMasked: () => void }) {
  const reword = options.suggestions ? (message: string) => message : withoutSuggestion;
  return {
    /**
     * PublicErrors keep their code and message, and so do errors about the request. A dependency that is away, full or
     * read-only is SERVICE_UNAVAILABLE. What may succeed later has `retryAfter`, in whole seconds. Everything else becomes
     * `Internal error` with an `errorId`, under which the log has the real one.
     */
    present(error: unknown, asker: Asker): PresentedError {
      if (error instanceof PresentedError) return error;
      const at = error instanceof GraphQLError ? error : undefined;
      const known = publicCause(error);
      if (known) {
        const { code, argument } = known;
        const retryAfter = retryAfterOf(known);
        const extensions = { code, ...(argument && { argument }), ...(retryAfter && { retryAfter }) };
        return new PresentedError(known.message, extensions, at);
      }
      if (at && REQUEST_ERROR_CODES.has(at.extensions?.code)) {
        return new PresentedError(reword(at.message), { code: at.extensions.code }, at);
      }
      const cause = rootCause(error);
      if (cause instanceof GraphQLError && ARGUMENT_FAULT.test(cause.message)) {
        return new PresentedError(reword(cause.message), { code: 'BAD_USER_INPUT' }, at);
      }
      if (isTextFault(cause)) {
        return new PresentedError(NOT_STORABLE, { code: 'BAD_USER_INPUT' }, at);
      }
      const unavailable = unavailability(cause);
      if (unavailable) {
        asker.logger.error({ path: at?.path, err: cause }, 'a dependency is away');
        const code = 'SERVICE_UNAVAILABLE' satisfies PublicErrorCode;
        const extensions = { code, retryAfter: unavailable.retryAfterSeconds };
        return new PresentedError('A dependency is away: try again', extensions, at);
      }
      const errorId = options.ids.next();
      asker.logger.error({ errorId, path: at?.path, err: cause }, 'unexpected error');
      options.onMasked();
      return new PresentedError('Internal error', { code: 'INTERNAL_ERROR', errorId }, at);
    },
    /** An error about the request that the edge raises itself. */
    requestError: (code: RequestErrorCode, message: string, at?: GraphQLError): PresentedError =>
      new PresentedError(reword(message), { code }, at),
  };
}

/** What execution says of an argument that only the variables' values made wrong. */
const ARGUMENT_FAULT = /^Argument ".+" (of (required|non-null) type|has invalid value)/;

/** What Postgres says of text that it cannot store. */
const TEXT_FAULTS: ReadonlySet<unknown> = new Set(['22021', '22P05']);

/** Text inside an opaque id or cursor is seen by nobody before Postgres. */
const isTextFault = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && TEXT_FAULTS.has(error.code);

/** How graphql-js ends a message that suggests names. Before it may stand anything, since clients' own text is repeated. */
const SUGGESTION = 'Did you mean ';

function withoutSuggestion(message: string): string {
  const at = message.endsWith('?') ? message.lastIndexOf(SUGGESTION) : -1;
  return at < 0 ? message : message.slice(0, at).trimEnd();
}

/** Longer messages lose their middle, where clients' own text is repeated. */
const LONGEST_MESSAGE = 2_000;
const KEPT_OF_END = 500;

function shortened(message: string): string {
  if (message.length <= LONGEST_MESSAGE) return message;
  const start = message.slice(0, LONGEST_MESSAGE - KEPT_OF_END - 1);
  return `${start}…${message.slice(-KEPT_OF_END)}`.toWellFormed();
}

function retryAfterOf(error: PublicError): number | undefined {
  if (error instanceof RateLimitExceeded) return error.retryAfterSeconds;
  return error.code === 'SERVICE_UNAVAILABLE' ? SHORTLY.retryAfterSeconds : undefined;
}

/** The longest wait, in whole seconds, that errors of unavailability ask for; undefined where none does. */
export function waitFor(
  errors: readonly { readonly extensions?: GraphQLErrorExtensions }[],
): number | undefined {
  const waits = errors
    .filter(({ extensions }) => extensions?.code === 'SERVICE_UNAVAILABLE')
    .map(({ extensions }) => Number(extensions?.retryAfter ?? SHORTLY.retryAfterSeconds));
  return waits.length > 0 ? Math.max(...waits) : undefined;
}

function publicCause(error: unknown): PublicError | undefined {
  if (error instanceof PublicError) return error;
  return error instanceof GraphQLError && error.originalError ? publicCause(error.originalError) : undefined;
}

function rootCause(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? rootCause(error.originalError) : error;
}
