/** An expected refusal, as every mutation answers it in `userErrors`. */
export interface UserError {
  /** Stable, upper snake case, documented in docs/errors.md. */
  readonly code: string;
  /** One sentence for a person. */
  readonly message: string;
  /** Points into the mutation's input, e.g. `['input', 'recipients', '0', 'userId']`. */
  readonly path?: readonly string[];
}

/** The outcome of an operation that may be refused for an expected reason. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly UserError[] };

/** A successful outcome. */
export const ok = <T>(value: T): Result<T> => ({ ok: true, value });

/** A refusal with one reason. */
export const refused = (code: string, message: string, path?: readonly string[]): Result<never> => ({
  ok: false,
  errors: [path ? { code, message, path } : { code, message }],
});

/** A refusal with several reasons at once. */
export const refusedAll = (errors: readonly UserError[]): Result<never> => ({ ok: false, errors });

/**
 * An error that a client may see as it is: its code and message pass the masking point unchanged.
 * Anything else that is thrown reaches clients only as INTERNAL_ERROR with an id to find the log line.
 */
export class PublicError extends Error {
  constructor(
    readonly code: PublicErrorCode,
    message: string,
    /** Names the argument that is at fault, e.g. `['asOf']`. */
    readonly argument?: readonly string[],
  ) {
    super(message);
    this.name = 'PublicError';
  }
}

/** A limit was reached: the caller may try again later. */
export class RateLimitExceeded extends PublicError {
  constructor(
    message: string,
    /** Whole seconds, at least 1. */
    readonly retryAfterSeconds: number,
    readonly reached: { readonly limit: number; readonly windowSeconds: number },
  ) {
    super('RATE_LIMIT_EXCEEDED', message);
    this.name = 'RateLimitExceeded';
  }
}

/** Codes that may stand in a top-level GraphQL error's `extensions.code` or a REST error body. */
export type PublicErrorCode =
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'BAD_USER_INPUT'
  | 'BAD_CURSOR'
  | 'CURSOR_EXPIRED'
  | 'READ_MODEL_TIMEOUT'
  | 'AS_OF_IN_FUTURE'
  | 'AS_OF_TOO_EARLY'
  | 'RATE_LIMIT_EXCEEDED'
  | 'RESPONSE_TOO_LARGE'
  | 'SERVICE_UNAVAILABLE';
