import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const root = new URL('../../', import.meta.url);

/**
 * Loads a module of the built product.
 *
 * @typeParam Module the source it is built from: `typeof import('../../src/….js')`
 * @throws when the product is not built
 */
export async function loadProduct<Module>(path: string): Promise<Module> {
  const file = new URL(`dist/${path}`, root);
  if (!existsSync(file)) throw new Error(`dist/${path} is missing: run \`npm run build\` first`);
  return (await import(file.href)) as Module;
}

/** The product's own copy of a package, where the bench's copy would be "another module or realm". */
export function loadPackageOfProduct<Module>(name: string): Module {
  return createRequire(new URL('package.json', root))(name) as Module;
}
