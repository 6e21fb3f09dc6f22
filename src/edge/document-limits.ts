/** What one operation may ask for. Everything is counted before anything runs. */
export interface DocumentLimits {
  /** Levels of fields below the operation; a root field is level 1. */
  readonly maxDepth: number;
  /** Aliased fields, each counted as often as fragments bring it in. */
  readonly maxAliases: number;
  /** Mentions of one field name in one selection set, after fragments and equal fields are merged. */
  readonly maxRepeatedFields: number;
  /** Fields of all the document's operations together, each counted as often as fragments bring it in. */
  readonly maxFields: number;
  readonly maxTokens: number;
  /** See `operationCost`. */
  readonly maxCost: number;
  readonly maxRootFields: number;
}

export const defaultLimits: DocumentLimits = {
  maxDepth: 12,
  maxAliases: 30,
  maxRepeatedFields: 50,
  maxFields: 1_000,
  maxTokens: 2_000,
  maxCost: 5_000,
  maxRootFields: 20,
};

/** `extensions.code` of a document that asks for too much. */
export type LimitCode =
  | 'QUERY_TOO_DEEP'
  | 'TOO_MANY_ALIASES'
  | 'TOO_MANY_REPEATED_FIELDS'
  | 'TOO_MANY_TOKENS'
  | 'TOO_MANY_ROOT_FIELDS'
  | 'QUERY_TOO_COSTLY';
