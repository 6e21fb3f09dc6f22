import type { PrismaClient } from '../../../platform/prisma.js';
import { isStorable } from '../text.js';
import { type Template, toTemplate } from './template.js';

/** One version of a template; null where there is none. */
export async function findTemplate(prisma: PrismaClient, templateId: string): Promise<Template | null> {
  if (!isStorable(templateId)) return null;
  const row = await prisma.notificationTemplate.findUnique({ where: { templateId } });
  return row && toTemplate(row);
}

/**
 * The id of an active template of a type, on whichever channel and in whichever language: naming it in a request names
 * all of the type's active templates. Null where none is active.
 */
export async function findActiveTemplate(prisma: PrismaClient, type: string): Promise<string | null> {
  const row = await prisma.notificationTemplate.findFirst({
    where: { notificationType: type, isActive: true },
    orderBy: [{ channel: 'asc' }, { language: 'asc' }],
    select: { templateId: true },
  });
  return row?.templateId ?? null;
}
