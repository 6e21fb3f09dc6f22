import { type Kind, templates, type Variables } from '../texts.ts';
import type { Renderer } from './renderer.ts';

const names = ['title', 'subject', 'body', 'htmlBody', 'imageUrl', 'actionUrl'] as const;

/** For who knows texts and no templates of many fields: each field by itself, with the template's defaults. */
export function renderFields(
  kind: Kind,
  compile: (text: string) => (variables: Variables) => string,
): Renderer {
  const template = templates[kind];
  const defaults: Variables = Object.fromEntries(
    Object.entries(template.variables).flatMap(([name, rule]) =>
      typeof rule.default === 'string' || typeof rule.default === 'number' ? [[name, rule.default]] : [],
    ),
  );
  const fields = names.flatMap((name) => {
    const text = template[name];
    return text === null ? [] : [[name, compile(text)] as const];
  });
  return (variables) => {
    const all = { ...defaults, ...variables };
    const rendered: Record<string, string> = {};
    for (const [name, fill] of fields) rendered[name] = fill(all);
    return rendered;
  };
}
