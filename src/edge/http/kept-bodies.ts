import { LRUCache } from 'lru-cache';

/** Of all bodies together, as characters of their texts. */
const KEPT_CHARACTERS = 2_000_000;
const KEPT_BODIES = 1_000;
const LONGEST_KEPT = 8_192;

/**
 * Bodies of GraphQL requests that were parsed, by their text: clients of one kind ask for the same page in the same bytes.
 * Such a body is frozen, since all who ask so share it. One whose variables hold lists or objects is not kept, nor one whose text
 * is long: these hardly come twice.
 */
export class KeptBodies {
  private readonly kept = new LRUCache<string, object>({
    max: KEPT_BODIES,
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: (_, text) => text.length,
  });

  get(text: string): object | undefined {
    return text.length <= LONGEST_KEPT ? this.kept.get(text) : undefined;
  }

  /** @param body what `text` was parsed to */
  keep(text: string, body: unknown): unknown {
    if (text.length > LONGEST_KEPT || !isObject(body)) return body;
    const { variables = {} } = body as { variables?: unknown };
    if (!isFlat(variables)) return body;
    freeze(body);
    this.kept.set(text, body);
    return body;
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isFlat = (variables: unknown): boolean =>
  variables === null || (isObject(variables) && !Object.values(variables).some(isObject));

function freeze(body: object): void {
  // A list of what is left, since a client decides how deep a body is.
  const left: unknown[] = [body];
  while (left.length > 0) {
    const next = left.pop();
    if (isObject(next)) left.push(...Object.values(Object.freeze(next)));
  }
}
