import { expect, it } from 'vitest';
import { lazyMembers } from '../../src/resolvers/lazy-members.js';

it('a member is made when it is first asked for, once for each object', () => {
  const made: string[] = [];
  const membersOf = lazyMembers<string>()({
    scope: (scope) => {
      made.push(`${scope} scope`);
      return { of: scope };
    },
    made: (scope) => {
      made.push(`${scope} made`);
      return [scope];
    },
  });
  const [one, other] = [membersOf('one'), membersOf('other')];
  expect(made).toEqual([]);
  expect(one.scope).toBe(one.scope);
  expect(one.scope).toEqual({ of: 'one' });
  expect(other.made).toEqual(['other']);
  expect(made).toEqual(['one scope', 'other made']);
});
