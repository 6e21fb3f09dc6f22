import type { Benchmark } from '../harness/benchmark.ts';
import { graphqlPage } from './graphql-page/index.ts';
import { logAppend } from './log-append/index.ts';

/** Every benchmark, by the order of the README. */
export const benchmarks: readonly Benchmark[] = [graphqlPage, logAppend];
