import type { PrismaClient } from '../../../platform/prisma.js';
import { isStorable } from '../text.js';
import { type Template, toTemplate } from './template.js';

/** One version of a template; null where there is none. */
export async function findTemplate(prisma: PrismaClient, templateId: string): Promise<Template | null> {
  if (!isStorable(templateId)) return null;
  const row = await prisma.notificationTemplate.findUnique({ where: { templateId } });
  return row && toTemplate(row);
}
