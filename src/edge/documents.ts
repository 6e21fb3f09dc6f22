import { createHash } from 'node:crypto';
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  ValuesOfCorrectTypeRule,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { createCompiler, type Run } from './compile.js';
import { compileCost, type Variables } from './cost.js';
import type { Masking, PresentedError } from './errors.js';
import type { DocumentLimits } from './limits.js';
import type { EdgeMetrics } from './metrics.js';
import { findViolation, fragmentsOf } from './shape.js';

/** An operation that passed every check that needs no variables, and is compiled. */
export interface Operation {
  readonly document: DocumentNode;
  readonly node: OperationDefinitionNode;
  /** As `operationCost`, of variables that are coerced. */
  readonly cost: (variables: Variables) => number;
  readonly run: Run;
}

export type Prepared =
  | { readonly ok: true; readonly operation: Operation }
  | { readonly ok: false; readonly error: PresentedError };

/** Documents that passed, kept by their text: parsed, validated, measured and compiled once. */
export interface Documents {
  /** At most one error is reported, whatever is wrong. Refused documents are not kept. */
  prepare(source: string, operationName: string | null | undefined): Prepared;
  /** The kept document whose text has this SHA-256 in hex. */
  byHash(hash: string): DocumentNode | undefined;
}

interface Kept {
  readonly hash: string;
  readonly document: DocumentNode;
  /** By operation name; `''` is the only operation of the document, unnamed in the request. */
  readonly operations: Map<string, Operation>;
}

const KEPT_DOCUMENTS = 1_000;
/** In characters of source text. */
const KEPT_TEXT = 16_000_000;

export function createDocuments(options: {
  schema: GraphQLSchema;
  limits: DocumentLimits;
  introspection: boolean;
  masking: Masking;
  metrics: EdgeMetrics;
}): Documents {
  const { schema, limits, masking, metrics } = options;
  const rules = [
    ...specifiedRules.filter((rule) => rule !== ValuesOfCorrectTypeRule),
    ...(options.introspection ? [] : [NoSchemaIntrospectionCustomRule]),
  ];
  const compile = createCompiler(schema);
  const byHash = new Map<string, DocumentNode>();
  const kept = new LRUCache<string, Kept>({
    max: KEPT_DOCUMENTS,
    maxSize: KEPT_TEXT,
    sizeCalculation: (_, source) => source.length || 1,
    dispose: ({ hash }) => byHash.delete(hash),
  });
  return { prepare, byHash: (hash) => byHash.get(hash) };

  function prepare(source: string, operationName: string | null | undefined): Prepared {
    const known = kept.get(source);
    const operation = known?.operations.get(operationName ?? '');
    if (operation) return { ok: true, operation };
    const prepared = prepareNew(source, operationName, known);
    if (!prepared.ok) metrics.requested('unknown', 'refused');
    return prepared;
  }

  function prepareNew(
    source: string,
    operationName: string | null | undefined,
    known: Kept | undefined,
  ): Prepared {
    const document = known?.document ?? parseDocument(source);
    if ('error' in document) return { ok: false, error: document.error };
    const node = getOperationAST(document, operationName);
    if (!node) return { ok: false, error: unknownOperation(operationName) };
    const fragments = fragmentsOf(document);
    const violation = findViolation(node, fragments, limits);
    if (violation) return { ok: false, error: masking.requestError(violation.code, violation.message) };
    const fault = known ? undefined : findFault(document);
    if (fault) return { ok: false, error: fault };
    const cost = compileCost({ schema, operation: node, fragments });
    const operation: Operation = { document, node, cost, run: compile(document, node) };
    keep(source, document, known).operations.set(operationName ?? '', operation);
    metrics.compiled();
    return { ok: true, operation };
  }

  function parseDocument(source: string): DocumentNode | { error: PresentedError } {
    try {
      return parse(source, { maxTokens: limits.maxTokens });
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      const tooMany = /more tha[nt] \d+ tokens/.test(error.message);
      const code = tooMany ? 'TOO_MANY_TOKENS' : 'GRAPHQL_PARSE_FAILED';
      return { error: masking.requestError(code, error.message, error) };
    }
  }

  function findFault(document: DocumentNode): PresentedError | undefined {
    const [fault] = validate(schema, document, rules, { maxErrors: 1 });
    if (fault) return masking.requestError('GRAPHQL_VALIDATION_FAILED', fault.message, fault);
    // A bad value is the same error whether it stands in the document or in a variable.
    const [badValue] = validate(schema, document, [ValuesOfCorrectTypeRule], { maxErrors: 1 });
    return badValue && masking.requestError('BAD_USER_INPUT', badValue.message, badValue);
  }

  function keep(source: string, document: DocumentNode, known: Kept | undefined): Kept {
    if (known) return known;
    const hash = createHash('sha256').update(source).digest('hex');
    const entry: Kept = { hash, document, operations: new Map() };
    kept.set(source, entry);
    byHash.set(hash, document);
    return entry;
  }

  function unknownOperation(name: string | null | undefined): PresentedError {
    const message = name
      ? `Unknown operation named "${name}"`
      : 'The document has several operations: name one';
    return masking.requestError('OPERATION_RESOLUTION_FAILURE', message);
  }
}
