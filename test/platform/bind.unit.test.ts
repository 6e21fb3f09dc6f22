import { expect, expectTypeOf, it } from 'vitest';
import { bind } from '../../src/platform/bind.js';

interface Deps {
  readonly greeting: string;
}

const greet = ({ greeting }: Deps, name: string, mark = '!'): string => `${greeting}, ${name}${mark}`;
async function count(deps: { readonly greeting: string; readonly upTo: number }): Promise<number> {
  return deps.greeting.length + deps.upTo;
}

const bound = bind({ greeting: 'hello', upTo: 2 }, { greet, count });

it('a bound function is called without its dependencies and answers as before', async () => {
  expect(bound.greet('Ann')).toBe('hello, Ann!');
  expect(bound.greet('Ann', '?')).toBe('hello, Ann?');
  expect(await bound.count()).toBe(7);
});

it('a bound function keeps the types of its other parameters and of its result', () => {
  expectTypeOf(bound.greet).toEqualTypeOf<(name: string, mark?: string) => string>();
  expectTypeOf(bound.count).toEqualTypeOf<() => Promise<number>>();
});

it('the compiler refuses functions whose dependencies are not all there', () => {
  // @ts-expect-error `upTo` is missing
  expect(Object.keys(bind({ greeting: 'hello' }, { count }))).toEqual(['count']);
});
