import Mustache from 'mustache';
import type { Kind } from '../texts.ts';
import { renderFields } from './fields.ts';
import type { Renderer } from './renderer.ts';

/** Mustache, which keeps what it has parsed. */
export async function openMustache(kind: Kind): Promise<Renderer> {
  return renderFields(kind, (text) => {
    Mustache.parse(text);
    return (variables) => Mustache.render(text, variables);
  });
}
