import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

interface FirstLoad {
  readonly page: string;
  /** That it opens with, where routes are chunks. */
  readonly route?: string;
  /** Bytes, gzipped as they are served, that a browser may load before the page shows anything. */
  readonly most: number;
}

const PAGES: readonly FirstLoad[] = [
  { page: 'console.html', route: 'sections/overview/index.tsx', most: 250_000 },
  { page: 'app.html', most: 256_000 },
  { page: 'index.html', most: 135_000 },
];

/** Fails the build where a page's first load grows beyond the bound, and says what it is made of. */
export function firstLoad(): Plugin {
  return {
    name: 'first-load',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      for (const { page, route, most } of PAGES) {
        const entries = chunks.filter(
          ({ facadeModuleId }) =>
            facadeModuleId?.endsWith(`/${page}`) || (route && facadeModuleId?.endsWith(`/${route}`)),
        );
        if (entries.length < (route ? 2 : 1))
          this.error(`${page}: there is no chunk of it, or of its first route`);
        const sizes = [page, ...filesOf(entries, bundle)]
          .map((name) => ({ name, bytes: gzipSync(readFileSync(path.join(dir, name)), { level: 9 }).length }))
          .sort((a, b) => b.bytes - a.bytes);
        const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
        if (total <= most) continue;
        const lines = sizes.map(({ name, bytes }) => `${String(bytes).padStart(8)} ${name}`);
        this.error(
          `${page} loads ${total} bytes at first, gzipped; at most ${most} are allowed:\n${lines.join('\n')}`,
        );
      }
    },
  };
}

/** Scripts and styles that load with a chunk: its own, and of all that it imports. */
function filesOf(entries: readonly Rolldown.OutputChunk[], bundle: Rolldown.OutputBundle): Set<string> {
  const found = new Set<string>();
  const add = (chunk: Rolldown.OutputChunk): void => {
    if (found.has(chunk.fileName)) return;
    found.add(chunk.fileName);
    for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
    for (const name of chunk.imports) {
      const imported = bundle[name];
      if (imported?.type === 'chunk') add(imported);
    }
  };
  entries.forEach(add);
  return found;
}
