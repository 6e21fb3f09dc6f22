import type { Client } from '../support/client.js';
import type { TypedDocumentString } from '../support/generated/graphql.js';

/** What came of asking one api once. */
export type Answer<Data> =
  | { readonly kind: 'data'; readonly data: Data }
  /** Refused as a whole, in the words of docs/errors.md. */
  | { readonly kind: 'refused'; readonly code: string }
  /** The process is down, or said nothing in time. */
  | { readonly kind: 'none'; readonly reason: string };

/** Someone who asks any of several apis. */
export interface Caller {
  readonly userId: string;
  /** One client an api, in the order of the fleet. */
  readonly at: readonly Client[];
}

/** Counts what was answered, by code, and keeps every answer that no fault excuses. */
export interface AnswerLog {
  readonly counts: Map<string, number>;
  readonly surprises: string[];
}

export const newAnswerLog = (): AnswerLog => ({ counts: new Map(), surprises: [] });

const ANSWER_MS = 3_000;

/** Asks once. What no fault excuses (INTERNAL_ERROR, a status without a code) is noted as a surprise. */
export async function askOnce<Data, Variables extends Record<string, unknown>>(
  url: string,
  authorization: string,
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  log: AnswerLog,
): Promise<Answer<Data>> {
  const answer = await post(url, authorization, document.toString(), variables);
  const name = answer.kind === 'refused' ? answer.code : answer.kind;
  log.counts.set(name, (log.counts.get(name) ?? 0) + 1);
  if (answer.kind === 'refused' && !EXPECTED.has(answer.code)) {
    const operation = /(?:mutation|query) (\w+)/.exec(document.toString())?.[1];
    log.surprises.push(`${new Date().toISOString()} ${operation} at ${url}: ${answer.code} ${answer.text}`);
  }
  return answer as Answer<Data>;
}

/** What a caller may be told while something is broken. */
const EXPECTED = new Set(['SERVICE_UNAVAILABLE', 'RATE_LIMIT_EXCEEDED', 'READ_MODEL_TIMEOUT']);

type Raw =
  | { kind: 'data'; data: unknown }
  | { kind: 'refused'; code: string; text: string }
  | { kind: 'none'; reason: string };

async function post(url: string, authorization: string, query: string, variables: object): Promise<Raw> {
  try {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await response.text();
    const body = parse(text);
    if (body?.errors) return { kind: 'refused', code: body.errors[0]?.extensions?.code ?? 'NO_CODE', text };
    if (body?.data) return { kind: 'data', data: body.data };
    return { kind: 'refused', code: `HTTP_${response.status}`, text };
  } catch (error) {
    return { kind: 'none', reason: String((error as Error).cause ?? error) };
  }
}

function parse(text: string) {
  try {
    return JSON.parse(text) as { data?: unknown; errors?: { extensions?: { code?: string } }[] };
  } catch {
    return undefined;
  }
}
