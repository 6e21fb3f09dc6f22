import { createLoadingCache } from '../../../platform/cache/loading-cache.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { KeptFresh } from '../freshness.js';
import { type Channel, channels } from '../types.js';
import { sql as statements } from './active-templates.sql.js';
import { loadPartials, partialNameOf } from './partials.js';
import type { TemplateText } from './render.js';
import { variableSchema } from './template.js';

/** A template as sending reads it. */
export interface ActiveTemplate extends TemplateText {
  readonly templateId: string;
  readonly channel: Channel;
  readonly language: string;
  /** Which language its text is in, where `language` says for whom it is shown instead. */
  readonly locale?: string;
  readonly version: number;
}

/** The templates that sending renders, out of memory where they are known. */
export interface ActiveTemplates {
  /** The active templates of the type that a template names. Refused with TEMPLATE_NOT_FOUND where there is none, or it is a partial. */
  ofTypeNamedBy(templateId: string): Promise<Result<readonly ActiveTemplate[]>>;
  ofType(notificationType: string): Promise<readonly ActiveTemplate[]>;
  /** This very template, active or not, as it is now. Refused with TEMPLATE_NOT_FOUND. */
  exactly(templateId: string): Promise<Result<ExactTemplate>>;
}
export interface ExactTemplate extends ActiveTemplate {
  readonly notificationType: string;
}

/** As long as a change of which this process got no wake-up may go unnoticed. */
const LIFETIME_MS = 300_000;
/** A template that is not there yet may be saved elsewhere any moment. */
const UNKNOWN_LIFETIME_MS = 1_000;
const MAX_IDS = 10_000;
/** In characters, of up to two bytes each. */
const MAX_TEXTS = 32_000_000;
/** What a template without texts takes. */
const TEMPLATE_SIZE = 1_000;

/** @param deps.now milliseconds that only ever grow */
export function createActiveTemplates(deps: {
  readonly postgres: Queryable;
  readonly freshness: Pick<KeptFresh, 'keep' | 'mayAnswer'>;
  readonly now?: () => number;
}): ActiveTemplates {
  const { postgres, freshness, now = () => performance.now() } = deps;
  const types = createLoadingCache<{ readonly type: string | null }>({
    maxSize: MAX_IDS,
    lifetimeOf: ({ type }) => (type === null ? UNKNOWN_LIFETIME_MS : LIFETIME_MS),
    now,
  });
  const texts = createLoadingCache<readonly ActiveTemplate[]>({
    maxSize: MAX_TEXTS,
    sizeOf: (templates) => templates.reduce((sum, template) => sum + sizeOf(template), TEMPLATE_SIZE),
    lifetimeOf: () => LIFETIME_MS,
    now,
  });
  const findType = async (templateId: string) => ({ type: await typeOf(postgres, templateId) });
  const findTexts = (type: string) => activeOfType(postgres, type);
  const ofType = async (type: string): Promise<readonly ActiveTemplate[]> =>
    freshness.mayAnswer() ? texts.get(type, findTexts) : findTexts(type);
  freshness.keep({
    forgetType(type) {
      // Whatever renders a partial has its text in it.
      if (partialNameOf(type) !== null) texts.forgetAll();
      else texts.forget(type);
      // The change may have made an id known. A known one keeps its type for ever, and is soon known again.
      types.forgetAll();
    },
    forgetAll() {
      texts.forgetAll();
      types.forgetAll();
    },
  });
  return {
    async ofTypeNamedBy(templateId) {
      const { type } = await (freshness.mayAnswer() ? types.get(templateId, findType) : findType(templateId));
      if (type === null) return notFound(templateId);
      return partialNameOf(type) === null ? ok(await ofType(type)) : notSent(templateId);
    },
    ofType,
    exactly: (templateId) => exactly(postgres, templateId),
  };
}

async function typeOf(postgres: Queryable, templateId: string): Promise<string | null> {
  const { rows } = await postgres.query(statements.typeOf, [templateId]);
  return rows[0]?.type ?? null;
}

async function activeOfType(postgres: Queryable, type: string): Promise<readonly ActiveTemplate[]> {
  const { rows } = await postgres.query(statements.activeOfType, [type, channels]);
  return withPartials(postgres, rows.map(parsed));
}

async function exactly(postgres: Queryable, templateId: string): Promise<Result<ExactTemplate>> {
  const { rows } = await postgres.query(statements.exactly, [templateId]);
  const [template] = await withPartials(postgres, rows.map(parsed));
  return template ? ok(template) : notFound(templateId);
}

async function withPartials<Row extends ActiveTemplate>(
  postgres: Queryable,
  templates: readonly Row[],
): Promise<readonly Row[]> {
  const partials = await loadPartials(postgres, templates);
  return templates.map((template, n) =>
    partials[n]!.size > 0 ? { ...template, partials: partials[n]! } : template,
  );
}

const parsed = <Row extends ActiveTemplate>(row: Row): Row => ({
  ...row,
  variables: variableSchema.parse(row.variables),
});

const sizeOf = (template: ActiveTemplate): number => {
  const { title, subject, body, htmlBody, imageUrl, actionUrl, partials } = template;
  const parts = [...(partials?.values() ?? [])].flatMap((partial) => [partial.body, partial.htmlBody]);
  return [title, subject, body, htmlBody, imageUrl, actionUrl, ...parts].reduce(
    (sum, text) => sum + (text?.length ?? 0),
    TEMPLATE_SIZE,
  );
};

/** A partial is rendered by other templates. */
export const notSent = (templateId: string): Result<never> =>
  refused('TEMPLATE_NOT_FOUND', `${templateId} is a partial, which is not sent by itself`, [
    'input',
    'templateId',
  ]);

export const notFound = (templateId: string): Result<never> =>
  refused('TEMPLATE_NOT_FOUND', `There is no template ${templateId}`, ['input', 'templateId']);
