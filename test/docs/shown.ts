/** Stands for whatever comes, in a text or in place of a value; as the last item of a list, for those that follow. */
const ANY = '…';

/** Where an answer differs from what is shown; undefined where it does not. Members that are not shown are not compared. */
export function difference(shown: unknown, actual: unknown, path = ''): string | undefined {
  if (shown === ANY) return actual === undefined ? `${path} is missing` : undefined;
  if (typeof shown === 'string' && typeof actual === 'string')
    return matches(shown, actual) ? undefined : differs(path, shown, actual);
  if (Array.isArray(shown) && Array.isArray(actual)) {
    const open = shown.at(-1) === ANY && shown.length > 1;
    const items = open ? shown.slice(0, -1) : shown;
    if (open ? actual.length < items.length : actual.length !== items.length)
      return differs(`the length of ${path}`, items.length, actual.length);
    return first(items.map((item, i) => difference(item, actual[i], `${path}[${i}]`)));
  }
  if (isObject(shown) && isObject(actual))
    return first(
      Object.entries(shown).map(([key, value]) => difference(value, actual[key], `${path}.${key}`)),
    );
  return Object.is(shown, actual) ? undefined : differs(path, shown, actual);
}

/** Whether a text is the shown one. `…` is any text, on a line of its own any number of lines. */
export function matches(shown: string, actual: string): boolean {
  const parts = shown.split(ANY).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*?')}$`).test(actual);
}

/** The last line of an output that is JSON. */
export function lastJson(output: string): unknown {
  return jsonLines(output).at(-1);
}

export function jsonLines(output: string): unknown[] {
  return output.split('\n').flatMap((line) => {
    if (!/^[[{]/.test(line)) return [];
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

/** What an answer of the API, of GraphQL or REST, says went wrong. */
export function refusalIn(answer: unknown): unknown {
  if (Array.isArray(answer)) return firstOf(answer.map(refusalIn));
  if (!isObject(answer)) return undefined;
  const { errors, error, userErrors } = answer;
  if (Array.isArray(errors) && errors.length > 0) return errors;
  if (isObject(error)) return error;
  if (Array.isArray(userErrors) && userErrors.length > 0) return userErrors;
  return firstOf(Object.values(answer).map(refusalIn));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const differs = (path: string, shown: unknown, actual: unknown): string =>
  `${path || 'the answer'} is ${JSON.stringify(actual)} and not ${JSON.stringify(shown)}`;

const first = (differences: (string | undefined)[]): string | undefined => firstOf(differences);
const firstOf = <T>(values: T[]): T | undefined => values.find((value) => value !== undefined);
