import type { Clock } from '../../../platform/clock.js';
import { ok, type Result } from '../../../platform/errors.js';
import type { Postgres, Queryable } from '../../../platform/postgres/postgres.js';
import type { Prisma } from '../../../platform/postgres/prisma.js';
import type { Freshness } from '../freshness.js';
import { notFound } from './active-templates.js';
import { findTemplate, type VersionKey } from './find.js';
import type { Template } from './template.js';
import { sql as statements } from './versions.sql.js';

export interface VersionDeps {
  readonly postgres: Postgres;
  readonly prisma: Prisma;
  readonly clock: Clock;
  readonly freshness: Pick<Freshness, 'templatesChanged'>;
}

/** Until the transaction ends, nobody else changes the versions of this text. */
export async function lockVersions(tx: Queryable, key: VersionKey): Promise<void> {
  await tx.query(statements.lock, [`${key.notificationType}/${key.channel}/${key.language}`]);
}

/** Leaves no version of a text active. The versions must be locked. */
export async function deactivateVersions(tx: Queryable, key: VersionKey, now: Date): Promise<void> {
  await tx.query(statements.deactivate, [key.notificationType, key.channel, key.language, now]);
}

/**
 * Makes a version the one of its text that is sent: publishes it, or rolls back to it. At every instant one version is
 * active, the former one or this. Nothing happens to one that is active already.
 *
 * Refused with TEMPLATE_NOT_FOUND.
 */
export function activateTemplate(deps: VersionDeps, templateId: string): Promise<Result<Template>> {
  return change(deps, templateId, async (tx, template, now) => {
    const { rows } = await tx.query(statements.isActive, [templateId]);
    if (rows[0]?.isActive) return;
    await deactivateVersions(tx, template, now);
    await tx.query(statements.setActive, [templateId, true, now]);
  });
}

/**
 * Takes a version out of use; its type has no text for its channel and language then. Nothing happens to one that is not
 * active.
 *
 * Refused with TEMPLATE_NOT_FOUND.
 */
export function deactivateTemplate(deps: VersionDeps, templateId: string): Promise<Result<Template>> {
  return change(deps, templateId, async (tx, _, now) => {
    await tx.query(statements.setActive, [templateId, false, now]);
  });
}

async function change(
  { postgres, prisma, clock, freshness }: VersionDeps,
  templateId: string,
  write: (tx: Queryable, template: Template, now: Date) => Promise<void>,
): Promise<Result<Template>> {
  const template = await findTemplate(prisma, templateId);
  if (!template) return notFound(templateId);
  await postgres.transaction(async (tx) => {
    await lockVersions(tx, template);
    await write(tx, template, new Date(clock.now()));
  });
  await freshness.templatesChanged(template.notificationType);
  const changed = await findTemplate(prisma, templateId);
  return changed ? ok(changed) : notFound(templateId);
}
