/** What one operation may ask for. Everything is counted before anything runs. */
export interface DocumentLimits {
  /** Levels of fields below the operation; a root field is level 1. */
  readonly maxDepth: number;
  /** Brackets of any kind inside each other, those of values included: reading a document takes stack for each. */
  readonly maxNesting: number;
  /** Aliased fields, each counted as often as fragments bring it in. */
  readonly maxAliases: number;
  /** Mentions of one field name in one selection set, after fragments and equal fields are merged. */
  readonly maxRepeatedFields: number;
  /** Fields of all the document's operations together, each counted as often as fragments bring it in. */
  readonly maxFields: number;
  readonly maxTokens: number;
  /** Characters of any name in the document; an error's path repeats the aliases above it. */
  readonly maxNameLength: number;
  /** See `operationCost`. */
  readonly maxCost: number;
  readonly maxRootFields: number;
  /** Of an answer in JSON, its errors included: what is larger ends while it is made, as RESPONSE_TOO_LARGE. */
  readonly maxResponseBytes: number;
}

export const defaultLimits: DocumentLimits = {
  maxDepth: 12,
  maxNesting: 100,
  maxAliases: 30,
  maxRepeatedFields: 50,
  maxFields: 1_000,
  maxTokens: 2_000,
  maxNameLength: 256,
  maxCost: 5_000,
  maxRootFields: 20,
  maxResponseBytes: 8_388_608,
};

/** `extensions.code` of a document that asks for too much. */
export type LimitCode =
  | 'QUERY_TOO_DEEP'
  | 'TOO_MANY_ALIASES'
  | 'TOO_MANY_REPEATED_FIELDS'
  | 'TOO_MANY_TOKENS'
  | 'NAME_TOO_LONG'
  | 'TOO_MANY_ROOT_FIELDS'
  | 'QUERY_TOO_COSTLY';
