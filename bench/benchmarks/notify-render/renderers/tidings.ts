import { loadProduct } from '../../../harness/product.ts';
import { type Kind, templates } from '../texts.ts';
import type { Renderer } from './renderer.ts';

/** The product's own rendering: variables checked, each value written for its place, links and lengths checked. */
export async function openTidings(kind: Kind): Promise<Renderer> {
  const { renderTemplate } = await loadProduct<
    typeof import('../../../../src/domains/notifications/templates/render.js')
  >('domains/notifications/templates/render.js');
  const template = templates[kind];
  return (variables) => {
    const rendering = renderTemplate(template, variables);
    if (rendering.kind !== 'rendered') throw new Error(JSON.stringify(rendering));
    return rendering.content as unknown as Record<string, string>;
  };
}
