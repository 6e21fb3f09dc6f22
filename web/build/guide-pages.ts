import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';
import type { Plugin } from 'vite';

const guides = fileURLToPath(new URL('../../docs', import.meta.url));
const md = new MarkdownIt({ html: false, linkify: false });

/** Makes a page of each Markdown file in docs/: `docs/limits.md` is `docs/limits.html`, in the frame that guide.html is. */
export function guidePages(): Plugin {
  let folder = '';
  return {
    name: 'guide-pages',
    apply: 'build',
    configResolved: (config) => {
      folder = config.build.outDir;
    },
    closeBundle() {
      const frame = path.join(folder, 'guide.html');
      if (!existsSync(frame)) return;
      const template = readFileSync(frame, 'utf8');
      rmSync(frame);
      for (const file of readdirSync(guides, { recursive: true, encoding: 'utf8' })) {
        if (!file.endsWith('.md')) continue;
        const target = path.join(folder, 'docs', file.replace(/\.md$/, '.html'));
        mkdirSync(path.dirname(target), { recursive: true });
        writeFileSync(target, pageOf(template, file));
      }
      for (const picture of pictures) {
        const target = path.join(folder, 'docs', picture);
        mkdirSync(path.dirname(target), { recursive: true });
        copyFileSync(path.join(guides, picture), target);
      }
    },
  };
}

function pageOf(template: string, file: string): string {
  const text = readFileSync(path.join(guides, file), 'utf8');
  const title = /^# (.+)$/m.exec(text)?.[1] ?? file;
  const html = md
    .render(text, { file })
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
  return template
    .replace('<!-- title -->', () => md.utils.escapeHtml(title))
    .replace('<!-- guide -->', () => html);
}

/** Anchors as GitHub names them, so that links between the guides hold here and there. */
md.renderer.rules.heading_open = (tokens, index) => {
  const { tag } = tokens[index]!;
  const id = anchorOf(tokens[index + 1]!.content);
  return `<${tag} id="${id}">`;
};

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

/** What guides show, below docs/. */
const pictures = new Set<string>();

/** Links from guide to guide stay among the pages; a file of the checkout beside docs/ is named and not linked. */
md.core.ruler.push('guide-links', ({ tokens, env }) => {
  const file = String(env?.file);
  for (const { children } of tokens) {
    for (const [index, token] of (children ?? []).entries()) {
      if (token.type === 'image' && !/^https?:/.test(String(token.attrGet('src')))) {
        const picture = path.posix.join(path.posix.dirname(file), String(token.attrGet('src')));
        pictures.add(picture);
        token.attrSet('src', `/docs/${picture}`);
      }
      if (token.type !== 'link_open') continue;
      const href = String(token.attrGet('href') ?? '');
      if (/^(https?:|#|mailto:)/.test(href)) continue;
      const [target, anchor] = href.split('#');
      const found = path.posix.join(path.posix.dirname(file), target!);
      if (found.endsWith('.md') && !found.startsWith('../') && existsSync(path.join(guides, found)))
        token.attrSet('href', `/docs/${found.replace(/\.md$/, '')}${anchor ? `#${anchor}` : ''}`);
      else unlink(children!, index);
    }
  }
});

function unlink(
  children: { type: string; hidden: boolean; tag: string; attrs: unknown }[],
  from: number,
): void {
  const end = children.findIndex(({ type }, index) => index > from && type === 'link_close');
  for (const token of [children[from]!, children[end]!]) {
    token.tag = 'span';
    token.attrs = null;
  }
}
