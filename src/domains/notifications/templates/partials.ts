import type { Queryable } from '../../../platform/postgres/postgres.js';
import { isStorable } from '../../../platform/text.js';
import type { Channel } from '../types.js';
import { sql as statements } from './active-templates.sql.js';
import { MAX_PARTIALS, type Partials } from './liquid/parse.js';
import { languageChain, type TemplateSyntax } from './render.js';

/** Types of partials begin with it: `{% render "footer" %}` renders the active template of the type `partial:footer`. */
const PARTIAL_TYPE = 'partial:';

/** The name of the partial that templates of a type are; null where they are none. */
export const partialNameOf = (type: string): string | null =>
  type.startsWith(PARTIAL_TYPE) ? type.slice(PARTIAL_TYPE.length) : null;

/** What renders partials. */
export interface Renders {
  readonly syntax?: TemplateSyntax | undefined;
  readonly channel: Channel;
  readonly language: string;
  readonly body: string;
  readonly title?: string | null | undefined;
  readonly subject?: string | null | undefined;
  readonly htmlBody?: string | null | undefined;
  readonly imageUrl?: string | null | undefined;
  readonly actionUrl?: string | null | undefined;
}

/**
 * The partials that each template renders, and that these render, as they are now: of its channel, in the first of its languages that has
 * an active one. Templates without any cost no statement.
 */
export async function loadPartials(
  postgres: Queryable,
  templates: readonly Renders[],
): Promise<readonly Partials[]> {
  const loaded = templates.map(
    () => new Map<string, { readonly body: string; readonly htmlBody: string | null }>(),
  );
  let wanted = templates.map((one) =>
    one.syntax === 'LIQUID'
      ? namesIn([one.title, one.subject, one.body, one.htmlBody, one.imageUrl, one.actionUrl])
      : [],
  );
  for (let depth = 0; depth < MAX_PARTIALS && wanted.some((names) => names.length > 0); depth += 1) {
    const keys = templates.flatMap(({ channel, language }, n) =>
      wanted[n]!.flatMap((name) => languagesOf(language).map((one) => keyOf(channel, one, name))),
    );
    const found = await load(postgres, new Map(keys.map((key) => [key.join(), key])));
    wanted = templates.map(({ channel, language }, n) => {
      const rows = wanted[n]!.flatMap((name) => {
        const own = languagesOf(language).map((one) => found.get(keyOf(channel, one, name).join()));
        const row = own.find(Boolean);
        if (!row) return [];
        loaded[n]!.set(name, row);
        return [row.body, row.htmlBody];
      });
      return namesIn(rows).filter((name) => !loaded[n]!.has(name));
    });
  }
  return loaded;
}

/** Of a draft the language may be any text. */
const languagesOf = (language: string): readonly string[] => languageChain(language).filter(isStorable);

type Key = readonly [type: string, channel: Channel, language: string];
const keyOf = (channel: Channel, language: string, name: string): Key => [
  PARTIAL_TYPE + name,
  channel,
  language,
];

async function load(postgres: Queryable, keys: ReadonlyMap<string, Key>) {
  const all = [...keys.values()];
  const { rows } = await postgres.query(
    statements.partials,
    [0, 1, 2].map((n) => all.map((key) => key[n])),
  );
  return new Map(rows.map((row) => [[row.type, row.channel, row.language].join(), row]));
}

/** The partials that texts name. */
function namesIn(texts: readonly (string | null | undefined)[]): readonly string[] {
  const names = texts.flatMap((text) =>
    [...(text ?? '').matchAll(RENDER)].map(([, double, single]) => (double ?? single)!),
  );
  return [...new Set(names)].filter((name) => name.isWellFormed());
}
/** A type has at most 64 characters. */
const RENDER = /\{%-?\s*render\s+(?:"([^"\0\\]{1,56})"|'([^'\0\\]{1,56})')/g;
