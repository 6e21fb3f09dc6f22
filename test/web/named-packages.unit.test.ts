import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const web = fileURLToPath(new URL('../../web/', import.meta.url));

test('all packages that the web pages import are named in their package.json', () => {
  const { devDependencies } = JSON.parse(readFileSync(path.join(web, 'package.json'), 'utf8'));
  const files = ['src', 'build'].flatMap((folder) =>
    readdirSync(path.join(web, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|tsx|css)$/.test(name))
      .map((name) => path.join(web, folder, name)),
  );
  expect(files.length).toBeGreaterThan(100);
  const imported = files.flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(
        /(?:^import |^\} from |^(?:import|export) .* from |import\()'([^'.][^']*)'/gm,
      ),
    ].map(([, name]) => name!),
  );
  const packages = new Set(imported.map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)![0]));
  const missing = [...packages].filter(
    (name) => !name.startsWith('node:') && !builtinModules.includes(name) && !(name in devDependencies),
  );
  expect(packages).toContain('react');
  expect(missing).toEqual([]);
});
