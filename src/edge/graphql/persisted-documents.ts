import { readFile } from 'node:fs/promises';
import { Kind, parse } from 'graphql';
import { z } from 'zod';
import { StartError } from '../../platform/process/start-error.js';
import type { Masking, PresentedError } from '../errors.js';
import type { EdgeMetrics } from '../metrics.js';

/** As an operation is asked for: by its text, or by the id of a persisted document. */
export interface DocumentRequest {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly extensions?: unknown;
}

/** The text of the document that is meant, or why there is none. Undefined where the request names no document at all. */
export type Looked =
  | { readonly ok: true; readonly source: string }
  | { readonly ok: false; readonly error: PresentedError }
  | undefined;

export type PersistedDocuments = ReturnType<typeof createPersistedDocuments>;

/** `{ "<id>": "<document>" }`, as GraphQL Code Generator (`sha256:` before each id) and Relay write it. */
const map = z.record(z.string().min(1).max(200), z.string().min(1));
/** As Apollo's `generate-persisted-query-manifest` writes it. */
const manifest = z.object({
  format: z.literal('apollo-persisted-query-manifest'),
  operations: z.array(z.object({ id: z.string().min(1).max(200), body: z.string().min(1) })),
});

/**
 * Reads files of persisted documents.
 *
 * @throws StartError where a file cannot be read, is of neither format, or gives an id to another text than a file before it
 */
export async function readPersistedDocuments(files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const documents = new Map<string, string>();
  for (const file of files)
    for (const [named, text] of await readOne(file)) {
      const id = withoutHashName(named);
      const other = documents.get(id);
      if (other !== undefined && other !== text)
        throw new StartError(
          `PERSISTED_DOCUMENTS: ${file} has another document under ${id} than a file before it`,
        );
      documents.set(id, text);
    }
  return documents;
}

async function readOne(file: string): Promise<(readonly [string, string])[]> {
  const fault = (what: string, cause?: unknown) =>
    new StartError(`PERSISTED_DOCUMENTS: ${file} ${what}`, { cause });
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw fault('cannot be read', cause);
  });
  const json = await Promise.resolve(text)
    .then((found): unknown => JSON.parse(found))
    .catch((cause: unknown) => {
      throw fault('is not JSON', cause);
    });
  const ofApollo = manifest.safeParse(json);
  if (ofApollo.success) return ofApollo.data.operations.map(({ id, body }) => [id, body] as const);
  const plain = map.safeParse(json);
  if (plain.success) return Object.entries(plain.data);
  throw fault('is neither an object of documents by id nor a manifest of Apollo');
}

/**
 * Documents that clients name by an id, which was fixed when they were built.
 *
 * A request names one by `documentId`, or as Apollo's and urql's clients do by `extensions.persistedQuery.sha256Hash`, and
 * has no `query`. `sha256:` may stand before the id, in requests and in files. Nothing can be added at run time.
 *
 * @param onlyPersisted other documents are refused, but for admins: theirs are written by hand, in GraphiQL and the console
 */
export function createPersistedDocuments(options: {
  readonly documents: ReadonlyMap<string, string>;
  readonly onlyPersisted: boolean;
  readonly masking: Masking;
  readonly metrics: EdgeMetrics;
}) {
  const { documents, onlyPersisted, masking, metrics } = options;
  const byText = new Map([...documents].map(([id, text]) => [text, { id, name: operationNameIn(text) }]));

  function refusal(source: string, viewer: Asking): PresentedError | undefined {
    const document = byText.get(source);
    if (document) metrics.persistedDocument(document.id, document.name);
    else if (onlyPersisted && !viewer?.roles.has('admin')) {
      metrics.documentRefused('not_persisted');
      const message = 'Only persisted documents are taken here: name one by its documentId';
      return masking.requestError('PERSISTED_DOCUMENT_REQUIRED', message);
    }
    return undefined;
  }

  return {
    /** The text of what a request means: its `query`, or the persisted document that it names instead. Its use is counted. */
    lookUp(request: DocumentRequest, viewer: Asking): Looked {
      const { query } = request;
      const named = typeof query === 'string' && query !== '' ? undefined : idOf(request);
      const source = named === undefined ? query : documents.get(named);
      if (typeof source === 'string' && source !== '') {
        const error = refusal(source, viewer);
        return error ? { ok: false, error } : { ok: true, source };
      }
      // Without a single persisted document, Apollo's own answer holds for clients that try hashes first.
      if (named === undefined || (documents.size === 0 && request.documentId === undefined)) return undefined;
      metrics.documentRefused('unknown_id');
      const message = `There is no persisted document ${JSON.stringify(named.slice(0, 100))}`;
      return { ok: false, error: masking.requestError('PERSISTED_DOCUMENT_NOT_FOUND', message) };
    },
  };
}

type Asking = { readonly roles: ReadonlySet<string> } | null;

function idOf({ documentId, extensions }: DocumentRequest): string | undefined {
  const id =
    typeof documentId === 'string' ? documentId : member(member(extensions, 'persistedQuery'), 'sha256Hash');
  return typeof id === 'string' ? withoutHashName(id) : undefined;
}

const withoutHashName = (id: string): string => id.replace(/^sha256:/, '');

/** Of its first operation; empty where it has no name, or where the document is refused by everybody who asks for it. */
function operationNameIn(text: string): string {
  try {
    const operation = parse(text, { noLocation: true }).definitions.find(
      ({ kind }) => kind === Kind.OPERATION_DEFINITION,
    );
    return (operation?.kind === Kind.OPERATION_DEFINITION && operation.name?.value) || '';
  } catch {
    return '';
  }
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
