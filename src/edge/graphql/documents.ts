import { createHash } from 'node:crypto';
import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  OverlappingFieldsCanBeMergedRule,
  parse,
  specifiedRules,
  TokenKind,
  ValuesOfCorrectTypeRule,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { isStorable } from '../../platform/text.js';
import type { Masking, PresentedError } from '../errors.js';
import type { EdgeMetrics } from '../metrics.js';
import { NOT_STORABLE } from '../text.js';
import { compileActualCost } from './actual-cost.js';
import { compileCost, costAt, type Variables } from './cost.js';
import type { DocumentLimits } from './document-limits.js';
import type { KeptPlans } from './kept-plans.js';
import { nulledCost } from './nulled-cost.js';
import { createRunner, type Run } from './runner.js';
import {
  type Fragments,
  findViolationInDocument,
  fragmentsOf,
  nestsDeeperThan,
  rootFieldsOf,
  tokensOf,
} from './shape.js';

/** An operation that passed every check that needs no variables. */
export interface Operation {
  readonly document: DocumentNode;
  readonly node: OperationDefinitionNode;
  /** As `operationCost`, of variables that are coerced. */
  readonly cost: (variables: Variables) => number;
  /** See `compileActualCost`; what errors made null costs what it may have cost, and nothing more than `most`. */
  readonly actualCost: (answer: ExecutionResult, most: number, variables: Variables) => number;
  /** See `rootFieldsOf`. */
  readonly rootFields: ReadonlyMap<string, number>;
  readonly run: Run;
}

export type Prepared =
  | { readonly ok: true; readonly operation: Operation }
  | { readonly ok: false; readonly error: PresentedError };

export type Documents = ReturnType<typeof createDocuments>;

interface Kept {
  readonly hash: string;
  readonly document: DocumentNode;
  /** By operation name; `''` is the only operation of the document, unnamed in the request. */
  readonly operations: Map<string, Operation>;
}

const KEPT_DOCUMENTS = 1_000;
/** Of all kept documents together, as `weightOf` estimates them. */
const KEPT_BYTES = 64_000_000;
const BYTES_A_TOKEN = 500;

/** Rules that run by themselves, after all others. */
const laterRules = [OverlappingFieldsCanBeMergedRule, ValuesOfCorrectTypeRule];

/** Documents that passed, kept by their text: parsed, measured and validated once. */
export function createDocuments(options: {
  schema: GraphQLSchema;
  limits: DocumentLimits;
  introspection: boolean;
  masking: Masking;
  metrics: EdgeMetrics;
  plans: KeptPlans;
}) {
  const { schema, limits, masking, metrics, plans } = options;
  const rules = [
    ...specifiedRules.filter((rule) => !laterRules.includes(rule)),
    ...(options.introspection ? [] : [NoSchemaIntrospectionCustomRule]),
  ];
  const byHash = new Map<string, DocumentNode>();
  const kept = new LRUCache<string, Kept>({
    max: KEPT_DOCUMENTS,
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ document }, source) => weightOf(document, source),
    dispose: ({ hash }) => byHash.delete(hash),
  });
  return {
    prepare,
    known,
    /** The kept document whose text has this SHA-256 in hex. */
    byHash: (hash: string): DocumentNode | undefined => byHash.get(hash),
  };

  /** An operation that was prepared before and is kept: nothing has to be parsed or checked for it. */
  function known(source: string, operationName: string | null | undefined): Operation | undefined {
    return kept.get(source)?.operations.get(operationName || '');
  }

  /**
   * At most one error is reported, whatever is wrong. Refused documents are not kept. An empty name names no operation, as
   * none does.
   */
  function prepare(source: string, operationName: string | null | undefined): Prepared {
    const operation = known(source, operationName);
    if (operation) return { ok: true, operation };
    const prepared = prepareNew(source, operationName, kept.get(source));
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
    const node = getOperationAST(document, operationName || null);
    if (!node) return { ok: false, error: unknownOperation(operationName) };
    const fragments = fragmentsOf(document);
    const fault = known ? undefined : findFault(document, fragments);
    if (fault) return { ok: false, error: fault };
    const cost = compileCost({ schema, operation: node, fragments });
    const run = createRunner(schema, node, fragments, limits.maxResponseBytes, plans);
    const rootFields = rootFieldsOf(schema, node, fragments);
    const ofData = compileActualCost({ schema, operation: node, fragments });
    const actualCost: Operation['actualCost'] = (answer, most, variables) => {
      const cost = ofData(answer.data, variables);
      if (!answer.errors && answer.data != null) return cost;
      const nulled = nulledCost(answer, most, (keys, isItem) =>
        costAt({ schema, operation: node, fragments, variables }, keys, isItem),
      );
      return Math.max(cost, Math.min(most, cost + nulled));
    };
    const operation: Operation = { document, node, cost, actualCost, rootFields, run };
    keep(source, document, known).operations.set(operationName || '', operation);
    return { ok: true, operation };
  }

  function parseDocument(source: string): DocumentNode | { error: PresentedError } {
    try {
      if (nestsDeeperThan(limits.maxNesting, source, limits.maxTokens)) {
        const message = `Brackets nest more than ${limits.maxNesting} deep`;
        return { error: masking.requestError('QUERY_TOO_DEEP', message) };
      }
      return parse(source, { maxTokens: limits.maxTokens });
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      const tooMany = /more tha[nt] \d+ tokens/.test(error.message);
      const code = tooMany ? 'TOO_MANY_TOKENS' : 'GRAPHQL_PARSE_FAILED';
      return { error: masking.requestError(code, error.message, error) };
    }
  }

  function findFault(document: DocumentNode, fragments: Fragments): PresentedError | undefined {
    if (!literalsAreStorable(document)) return masking.requestError('BAD_USER_INPUT', NOT_STORABLE);
    const violation = findViolationInDocument(document, fragments, limits);
    if (violation) return masking.requestError(violation.code, violation.message);
    const [fault] = validate(schema, document, rules, { maxErrors: 1 });
    if (fault) return masking.requestError('GRAPHQL_VALIDATION_FAILED', fault.message, fault);
    // Takes time by the fields of all pairs of fragments, so every fragment must have been measured: none is unused here.
    const [conflict] = validate(schema, document, [OverlappingFieldsCanBeMergedRule], { maxErrors: 1 });
    if (conflict) return masking.requestError('GRAPHQL_VALIDATION_FAILED', conflict.message, conflict);
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

function literalsAreStorable(document: DocumentNode): boolean {
  for (const { kind, value } of tokensOf(document)) {
    if ((kind === TokenKind.STRING || kind === TokenKind.BLOCK_STRING) && !isStorable(value)) return false;
  }
  return true;
}

/** About what a parsed document takes, in bytes: its tokens and nodes are far larger than its text. */
function weightOf(document: DocumentNode, source: string): number {
  let tokens = 0;
  for (const _ of tokensOf(document)) tokens += 1;
  return source.length + BYTES_A_TOKEN * tokens;
}
