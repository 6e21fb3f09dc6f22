import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Kind, parse } from 'graphql';
import type { Plugin } from 'vite';

const FILE = fileURLToPath(new URL('../src/generated/persisted-documents.json', import.meta.url));
const CALL = /\bgraphql\(\s*(?:\/\* GraphQL \*\/\s*)?(`[^`]*`)\s*,?\s*\)/g;

/**
 * Gives each `graphql(…)` call of an operation the id of its document as a second argument, and puts the file of all of them,
 * which codegen wrote, beside the pages, for the api to read.
 */
export function documentIds(): Plugin {
  let manifest = '';
  let idOf: ReadonlyMap<string, string> = new Map();
  const withoutCall = new Set<string>();
  return {
    name: 'document-ids',
    // While developing, a document may have changed since codegen wrote its id.
    apply: 'build',
    enforce: 'pre',
    buildStart() {
      manifest = readFileSync(FILE, 'utf8');
      const documents = Object.entries(JSON.parse(manifest) as Record<string, string>);
      idOf = new Map(documents.map(([id, text]) => [nameIn(text)!, id]));
      for (const name of idOf.keys()) withoutCall.add(name);
    },
    transform(code, file) {
      if (!/\.tsx?$/.test(file) || !code.includes('graphql(')) return undefined;
      return code.replace(CALL, (call, text: string) => {
        const name = nameIn(text.slice(1, -1));
        if (name === undefined) return call;
        const id = idOf.get(name);
        if (id === undefined) throw new Error(`${file}: codegen knows no operation ${name}`);
        withoutCall.delete(name);
        return `graphql(${text}, ${JSON.stringify(id)})`;
      });
    },
    generateBundle() {
      if (withoutCall.size > 0)
        throw new Error(
          `no page has these operations, or they are not written as graphql(\`…\`): ${[...withoutCall].join(', ')}`,
        );
      this.emitFile({ type: 'asset', fileName: 'persisted-documents.json', source: manifest });
    },
  };
}

/** Of the operation in a document; undefined where it has fragments alone. */
function nameIn(text: string): string | undefined {
  const operation = parse(text).definitions.find(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  );
  return operation?.name?.value;
}
