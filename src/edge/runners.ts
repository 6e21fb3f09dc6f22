import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { createCompiler, interpret, type Run } from './compile.js';

/** Larger operations are never compiled. */
const MAX_COMPILED_FIELDS = 300;
/** An operation of so many fields is compiled at its second use, one twice as large at its third, and so on. */
const FIELDS_A_USE = 50;
/** Of all compiled operations together. A field's compiled code takes about 12 KB. */
const COMPILED_FIELDS = 5_000;

export interface Runners {
  /**
   * How to run an operation that validated: interpreted at first, compiled once it was used again, or a few times where
   * it is large. What is sent once never costs its compilation, which takes longer and holds more memory than running it.
   *
   * @param fields of the operation, each counted as often as fragments bring it in
   */
  runnerOf(document: DocumentNode, node: OperationDefinitionNode, fields: number): Run;
}

/** Keeps compiled operations, the least recently used of them going first. */
export function createRunners(options: { schema: GraphQLSchema; onCompiled: () => void }): Runners {
  const { schema, onCompiled } = options;
  const compile = createCompiler(schema);
  const compiled = new LRUCache<OperationDefinitionNode, Run>({ maxSize: COMPILED_FIELDS });
  return {
    runnerOf(document, node, fields) {
      const interpreted = interpret(schema, document, node);
      if (fields > MAX_COMPILED_FIELDS) return interpreted;
      let uses = 0;
      return (root, context, values) => {
        const run =
          compiled.get(node) ?? (uses > 0 && uses * FIELDS_A_USE >= fields ? compileNow() : interpreted);
        uses += 1;
        return run(root, context, values);
      };

      function compileNow(): Run {
        const run = compile(document, node);
        compiled.set(node, run, { size: Math.max(1, fields) });
        onCompiled();
        return run;
      }
    },
  };
}
