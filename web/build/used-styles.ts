import { PurgeCSS } from 'purgecss';
import type { Plugin } from 'vite';

/** All but the palettes of Mantine that nothing here is colored by. */
const USED_VARIABLES = /^--(?!mantine-color-(pink|violet|indigo|cyan|green|lime)-)/;

/** Leaves out the rules of Mantine's components that no page uses: its style sheet has those of all of them. */
export function usedStyles(): Plugin {
  return {
    name: 'used-styles',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_, bundle) {
      const files = Object.values(bundle);
      const code = files.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n');
      for (const file of files) {
        if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue;
        const [purged] = await new PurgeCSS().purge({
          content: [{ raw: code, extension: 'js' }],
          css: [{ raw: String(file.source) }],
          defaultExtractor: (text) => text.match(/\bm_[0-9a-f]+\b/g) ?? [],
          safelist: { standard: [/^(?!m_)/], variables: [USED_VARIABLES] },
          variables: true,
        });
        if (purged) file.source = purged.css;
      }
    },
  };
}
