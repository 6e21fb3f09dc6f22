import { LRUCache } from 'lru-cache';
import { expect, it } from 'vitest';
import { upTo } from '../../src/platform/lru-bounds.js';

it('a cache that takes memory for what it holds lets the entry go that was used longest ago', () => {
  const cache = new LRUCache<string, number>(upTo(2));
  cache.set('one', 1);
  cache.set('two', 2);
  cache.get('one');
  cache.set('three', 3);
  expect([...cache.keys()].toSorted()).toEqual(['one', 'three']);
});
