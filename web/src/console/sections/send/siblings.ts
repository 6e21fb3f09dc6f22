import type { ActiveTemplate } from '../../active-templates.js';

/** The templates that are sent with one: those of its type, on all channels and in all languages. */
export function siblingsOf(
  templates: readonly ActiveTemplate[],
  templateId: string,
): readonly ActiveTemplate[] {
  const type = templates.find((template) => template.templateId === templateId)?.notificationType;
  return type === undefined ? [] : templates.filter(({ notificationType }) => notificationType === type);
}
