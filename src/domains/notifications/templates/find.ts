import { z } from 'zod';
import { type Connection, cursorsOf, type PageRequest, toConnection } from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { Prisma } from '../../../platform/postgres/prisma.js';
import { isStorable } from '../../../platform/text.js';
import type { Channel } from '../types.js';
import { sql as statements } from './find.sql.js';
import { type Template, toTemplate } from './template.js';

/** One version of a template; null where there is none. */
export async function findTemplate(prisma: Prisma, templateId: string): Promise<Template | null> {
  if (!isStorable(templateId)) return null;
  const row = await (await prisma.client()).notificationTemplate.findUnique({ where: { templateId } });
  return row && toTemplate(row);
}

/**
 * The id of an active template of a type, on whichever channel and in whichever language: naming it in a request names
 * all of the type's active templates. Null where none is active.
 */
export async function findActiveTemplate(prisma: Prisma, type: string): Promise<string | null> {
  const row = await (await prisma.client()).notificationTemplate.findFirst({
    where: { notificationType: type, isActive: true },
    orderBy: [{ channel: 'asc' }, { language: 'asc' }],
    select: { templateId: true },
  });
  return row?.templateId ?? null;
}

/** Which templates to list; an absent member is no condition. */
export interface TemplateFilter {
  readonly notificationType?: string | undefined;
  readonly channel?: Channel | undefined;
  readonly language?: string | undefined;
  readonly activeOnly?: boolean | undefined;
}

const name = z.string().refine(isStorable);
const cursors = cursorsOf('templates', z.tuple([name, name, name, z.int32()]));

/** Templates by type, channel, language and version. */
export async function pageOfTemplates(
  postgres: Queryable,
  filter: TemplateFilter,
  page: PageRequest,
): Promise<Connection<Template>> {
  const { notificationType = null, channel = null, language = null, activeOnly = false } = filter;
  const from = cursors.read(page.cursor) ?? [null, null, null, null];
  if (![notificationType, language].every((text) => text === null || isStorable(text))) {
    return toConnection(page, [], () => '');
  }
  const { rows } = await postgres.query(statements[page.direction], [
    notificationType,
    channel,
    language,
    activeOnly,
    ...from,
    page.limit + 1,
  ]);
  return toConnection(page, rows.map(toTemplate), (template) =>
    cursors.write(template.notificationType, template.channel, template.language, template.version),
  );
}

/** What the versions of a text have in common. */
export type VersionKey = Pick<Template, 'notificationType' | 'channel' | 'language'>;

/** So many versions of one text are answered; the others are found by `pageOfTemplates`. */
const MAX_VERSIONS = 100;

/** The versions of each text, newest first, in one statement. */
export async function findVersions(
  postgres: Queryable,
  keys: readonly VersionKey[],
): Promise<readonly (readonly Template[])[]> {
  const distinct = new Map(keys.map((key) => [nameOf(key), key]));
  const wanted = [...distinct.values()];
  const { rows } = await postgres.query(statements.versions, [
    wanted.map((key) => key.notificationType),
    wanted.map((key) => key.channel),
    wanted.map((key) => key.language),
    MAX_VERSIONS,
  ]);
  const versions = Map.groupBy(rows.map(toTemplate), nameOf);
  return keys.map((key) => versions.get(nameOf(key)) ?? []);
}

const nameOf = ({ notificationType, channel, language }: VersionKey): string =>
  `${channel}/${language}/${notificationType}`;
