import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  Lexer,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  Source,
  type Token,
  TokenKind,
} from 'graphql';
import type { DocumentLimits, LimitCode } from './document-limits.js';

/** What an operation looks like once its fragments are in place. */
export interface Shape {
  readonly depth: number;
  readonly aliases: number;
  /** Fields, each counted as often as fragments bring it in: exponential in the document at worst. */
  readonly fields: number;
  /** A fragment spreads itself: what is below it is endless, and counted here as nothing. */
  readonly cyclic: boolean;
}

export interface LimitViolation {
  readonly code: LimitCode;
  readonly message: string;
}

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

const EMPTY: Shape = { depth: 0, aliases: 0, fields: 0, cyclic: false };

export function fragmentsOf(document: DocumentNode): Fragments {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  return fragments;
}

/**
 * The first limit that the operation's shape passes, if any. Needs no schema and no validation: unknown
 * fragments and cycles count nothing here, and are for validation to refuse.
 */
export function findViolation(
  operation: OperationDefinitionNode,
  fragments: Fragments,
  limits: DocumentLimits,
): LimitViolation | undefined {
  const shape = measureShape(operation, fragments);
  if (shape.depth > limits.maxDepth) {
    return exceeded('QUERY_TOO_DEEP', `The operation is ${shape.depth} levels deep`, limits.maxDepth);
  }
  if (shape.aliases > limits.maxAliases) {
    return exceeded('TOO_MANY_ALIASES', `The operation has ${shape.aliases} aliases`, limits.maxAliases);
  }
  // This also bounds the merged walk below, and what validation and compiling may take.
  if (shape.fields > limits.maxFields) {
    return exceeded('QUERY_TOO_COSTLY', `The operation has ${shape.fields} fields`, limits.maxFields);
  }
  const roots = mergeFields([operation.selectionSet], fragments);
  if (roots.size > limits.maxRootFields) {
    return exceeded(
      'TOO_MANY_ROOT_FIELDS',
      `The operation has ${roots.size} root fields`,
      limits.maxRootFields,
    );
  }
  if (shape.cyclic) return undefined; // validation refuses it, and the walk below would not end
  const repeated = mostRepeated(roots, fragments);
  if (repeated > limits.maxRepeatedFields) {
    return exceeded(
      'TOO_MANY_REPEATED_FIELDS',
      `A field is repeated ${repeated} times`,
      limits.maxRepeatedFields,
    );
  }
  return undefined;
}

/**
 * The first limit that any operation of the document passes, or all of them together. Validation looks at the
 * whole document, whichever operation is asked for.
 */
export function findViolationInDocument(
  document: DocumentNode,
  fragments: Fragments,
  limits: DocumentLimits,
): LimitViolation | undefined {
  for (const { kind, value } of tokensOf(document)) {
    if (kind === TokenKind.NAME && value.length > limits.maxNameLength)
      return exceeded('NAME_TOO_LONG', `A name has ${value.length} characters`, limits.maxNameLength);
  }
  let fields = 0;
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const violation = findViolation(definition, fragments, limits);
    if (violation) return violation;
    fields += measureShape(definition, fragments).fields;
  }
  if (fields <= limits.maxFields) return undefined;
  return exceeded('QUERY_TOO_COSTLY', `The document has ${fields} fields`, limits.maxFields);
}

/** All tokens of a document that was parsed with locations. */
export function* tokensOf({ loc }: DocumentNode): Iterable<Token> {
  for (let token: Token | null = loc?.startToken ?? null; token; token = token.next) yield token;
}

/** One walk, linear in the document: each fragment is measured once. */
export function measureShape(operation: OperationDefinitionNode, fragments: Fragments): Shape {
  const measured = new Map<string, Shape>();
  return measureSet(operation.selectionSet);

  function measureSet(set: SelectionSetNode): Shape {
    let { depth, aliases, fields, cyclic } = EMPTY;
    for (const selection of set.selections) {
      const part = measureSelection(selection);
      depth = Math.max(depth, part.depth);
      aliases += part.aliases;
      fields += part.fields;
      cyclic ||= part.cyclic;
    }
    return { depth, aliases, fields, cyclic };
  }

  function measureSelection(selection: SelectionNode): Shape {
    if (selection.kind === Kind.INLINE_FRAGMENT) return measureSet(selection.selectionSet);
    if (selection.kind === Kind.FRAGMENT_SPREAD) return measureFragment(selection.name.value);
    const below =
      isIntrospection(selection) || !selection.selectionSet ? EMPTY : measureSet(selection.selectionSet);
    return {
      depth: below.depth + 1,
      aliases: below.aliases + (selection.alias ? 1 : 0),
      fields: below.fields + 1,
      cyclic: below.cyclic,
    };
  }

  function measureFragment(name: string): Shape {
    const known = measured.get(name);
    if (known) return known;
    measured.set(name, { ...EMPTY, cyclic: true }); // what a cycle finds
    const fragment = fragments.get(name);
    const shape = fragment ? measureSet(fragment.selectionSet) : EMPTY;
    measured.set(name, shape);
    return shape;
  }
}

/** Introspection has limits of its own in validation, and is off outside development. */
export const isIntrospection = (field: FieldNode): boolean =>
  field.name.value === '__schema' || field.name.value === '__type';

/**
 * The fields of a selection set, with those that fragments bring in.
 *
 * @param spread the fragments that were there before, each of which then comes once; without it they come as often as they
 *   are spread, without end where one spreads itself
 */
function* fieldsIn(set: SelectionSetNode, fragments: Fragments, spread?: Set<string>): Iterable<FieldNode> {
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) yield selection;
    else if (selection.kind === Kind.INLINE_FRAGMENT)
      yield* fieldsIn(selection.selectionSet, fragments, spread);
    else if (!spread?.has(selection.name.value)) {
      spread?.add(selection.name.value);
      const fragment = fragments.get(selection.name.value);
      if (fragment) yield* fieldsIn(fragment.selectionSet, fragments, spread);
    }
  }
}

/**
 * The root fields of a validated operation as limits name them (`Mutation.placeOrder`), with how often each is
 * mentioned: under aliases and in fragments too, whatever `@skip` and `@include` say.
 */
export function rootFieldsOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Fragments,
): ReadonlyMap<string, number> {
  const type = schema.getRootType(operation.operation)?.name ?? '';
  const counts = new Map<string, number>();
  for (const field of fieldsIn(operation.selectionSet, fragments)) {
    const name = `${type}.${field.name.value}`;
    if (!isIntrospection(field)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** The fields of selection sets that end up in one object, by response key. */
function mergeFields(sets: readonly SelectionSetNode[], fragments: Fragments): Map<string, FieldNode[]> {
  const spread = new Set<string>();
  const fields = sets.flatMap((set) => [...fieldsIn(set, fragments, spread)]);
  return Map.groupBy(fields, ({ alias, name }) => (alias ?? name).value);
}

function mostRepeated(groups: ReadonlyMap<string, readonly FieldNode[]>, fragments: Fragments): number {
  const mentions = new Map<string, number>();
  let most = 0;
  for (const fields of groups.values()) {
    for (const { name } of fields) mentions.set(name.value, (mentions.get(name.value) ?? 0) + 1);
    const below = fields.flatMap((field) => (isIntrospection(field) ? [] : (field.selectionSet ?? [])));
    if (below.length > 0) most = Math.max(most, mostRepeated(mergeFields(below, fragments), fragments));
  }
  return Math.max(most, ...mentions.values());
}

const exceeded = (code: LimitCode, fact: string, limit: number): LimitViolation => ({
  code,
  message: `${fact}; at most ${limit} are allowed`,
});

const OPENING: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Whether brackets nest deeper than `most` in a document. The parser recurses with every bracket: how many it withstands
 * depends on the stack that is left and on whether its code was optimised yet, so that a process that has just started
 * withstands the fewest.
 *
 * @param maxTokens how far to read: the parser refuses what is longer
 * @throws GraphQLError where a token cannot be read
 */
export function nestsDeeperThan(most: number, source: string, maxTokens: number): boolean {
  const lexer = new Lexer(new Source(source));
  let depth = 0;
  for (let tokens = 0; tokens <= maxTokens; tokens += 1) {
    const { kind } = lexer.advance();
    if (kind === TokenKind.EOF) return false;
    if (CLOSING.has(kind)) depth -= 1;
    else if (OPENING.has(kind)) {
      depth += 1;
      if (depth > most) return true;
    }
  }
  return false;
}
