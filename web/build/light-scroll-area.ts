import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const mergeRefs = fileURLToPath(new URL('merge-refs.ts', import.meta.url));

/** Mantine's tables take one function of @floating-ui/react, by their ScrollArea; with it come 16 KB that place menus. */
export function lightScrollArea(): Plugin {
  return {
    name: 'light-scroll-area',
    apply: 'build',
    enforce: 'pre',
    resolveId: (name, importer) =>
      name === '@floating-ui/react' && importer?.endsWith('/ScrollArea/ScrollArea.mjs') ? mergeRefs : null,
  };
}
