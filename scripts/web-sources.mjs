import { existsSync } from 'node:fs';
import path from 'node:path';
import { isMadeFrom, root } from './fingerprint.mjs';

/** What the pages are made of: guides are pages too, and what a text links to and mentions they find as the api does. */
export const webSources = [
  'web',
  'docs',
  'src/domains/feed/links/link-in.ts',
  'src/domains/feed/posts/mentions.ts',
  'schema.graphql',
  'codegen.yml',
  'scripts/build-web.mjs',
  'scripts/codegen-typename.mjs',
];

/** Beside what is built, not in it: Vite empties its folder before it builds. */
export const webMark = path.join(root, 'dist', '.web-sources');

export const isWebFresh = () =>
  existsSync(path.join(root, 'dist', 'web', 'index.html')) && isMadeFrom(webMark, webSources);
