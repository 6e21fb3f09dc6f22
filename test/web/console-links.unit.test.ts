import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '../../web/src/console');
const sections = readdirSync(path.join(root, 'sections'));
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const sources = globSync('**/*.{ts,tsx}', { cwd: root });

/** What is in the place of a value. */
const VALUE = '{}';

/** The paths of pages, by their parts. */
const routes = sections.flatMap((section) =>
  sources
    .filter((file) => file.startsWith(`sections/${section}/`))
    .flatMap((file) => [...read(file).matchAll(/<Route (?:index|path="([^"]+)")/g)])
    .map(([, below = '']) => below)
    .filter((below) => below !== '*')
    .concat('')
    .map((below) => `${section}/${below}`.split('/').filter(Boolean)),
);

/** The paths that sources name: those of links, and those that are gone to. */
function linksIn(source: string): string[] {
  let text = source;
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replaceAll(/\$\{[^{}]*\}/g, '\0');
  }
  const isLink = new RegExp(`['"\`](/(?:${sections.join('|')})(?:[/?#][^'"\`\\s]*)?)['"\`]`, 'g');
  return [...text.matchAll(isLink)].map(([, link = '']) =>
    link
      .replace(/[?#].*$/, '')
      .replace(/(?<!\/)\0+$/, '')
      .replaceAll(/\0+/g, VALUE),
  );
}

function leadsSomewhere(link: string): boolean {
  const parts = link.split('/').filter(Boolean);
  const fits = (of: string | undefined, at: number): boolean =>
    of?.startsWith(':') || of === parts[at] || (parts[at] === VALUE && at < parts.length - 1);
  return routes.some((route) =>
    route.at(-1) === '*'
      ? route.slice(0, -1).every(fits)
      : route.length === parts.length && route.every(fits),
  );
}

test('no link of the console leads to a page that is not there', () => {
  const links = sources.flatMap((file) => linksIn(read(file)).map((link) => ({ file, link })));
  expect(links.length).toBeGreaterThan(60);
  expect(links.filter(({ link }) => !leadsSomewhere(link))).toEqual([]);
});
