import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  getOperationAST,
  parse,
} from 'graphql';
import { expect, it } from 'vitest';
import { KeptPlans } from '../../../src/edge/graphql/kept-plans.js';
import { createRunner } from '../../../src/edge/graphql/runner.js';

it('leaves nothing behind of operations that nobody runs any more', async () => {
  setFlagsFromString('--expose-gc');
  // As the api does when it starts.
  setFlagsFromString('--no-compilation-cache');
  const plans = new KeptPlans({ generateAfter: 0 });
  const collect = runInNewContext('gc') as () => void;
  const anything = new GraphQLSchema({
    query: new GraphQLObjectType({
      name: 'Query',
      fields: { seen: { type: GraphQLString, args: { numbers: { type: new GraphQLList(GraphQLInt) } } } },
    }),
  });
  const runMany = (count: number) => {
    for (let i = 0; i < count; i += 1) {
      const fields = Array.from({ length: 150 }, (_, n) => `f${n}: seen(numbers: [${i}, ${n}])`);
      const document = parse(`{ ${fields.join(' ')} }`);
      const run = createRunner(anything, getOperationAST(document)!, new Map(), 1_000_000, plans);
      for (let time = 1; time <= 2; time += 1) void run({}, undefined, { raw: {}, coerced: {} });
    }
  };
  runMany(20);
  collect();
  const before = process.memoryUsage().heapUsed;
  runMany(100);
  const grownBy = () => {
    collect();
    return process.memoryUsage().heapUsed - before;
  };
  await expect.poll(grownBy, { timeout: 5_000 }).toBeLessThan(5_000_000);
});
