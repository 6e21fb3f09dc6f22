import Handlebars from 'handlebars';
import type { Kind } from '../texts.ts';
import { renderFields } from './fields.ts';
import type { Renderer } from './renderer.ts';

/** Handlebars, compiled to functions, which it says is its fastest with `knownHelpersOnly`. */
export async function openHandlebars(kind: Kind): Promise<Renderer> {
  return renderFields(kind, (text) => Handlebars.compile(text, { knownHelpersOnly: true }));
}
