import { openHandlebars } from './handlebars.ts';
import { openMustache } from './mustache.ts';
import type { OpenRenderer } from './renderer.ts';
import { openTidings } from './tidings.ts';

export type RendererName = 'tidings' | 'handlebars' | 'mustache';

/** Everybody who takes part. */
export const renderers: Readonly<Record<RendererName, OpenRenderer>> = {
  tidings: openTidings,
  handlebars: openHandlebars,
  mustache: openMustache,
};
