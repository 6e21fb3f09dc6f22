import { hash } from 'node:crypto';
import type { Level, Tier } from '../../../platform/gate.js';
import { KEYS, type Key, type PathStep } from './plain-rules.js';

/** A limit as its rule says it, without what follows from the rule's path. */
export type Limit = Omit<Tier, 'rule' | 'level' | 'scope' | 'counts' | 'counterId'>;

/** The limit as requests are held against it. */
export function makeTier(path: readonly PathStep[], limit: Limit): Tier {
  const keys = new Set(path.map((step) => step.key));
  return {
    rule: ruleText(path),
    level: levelOf(path, keys),
    scope: scopeOf(path, keys),
    counts: keys.has('query_cost') ? 'query_cost' : 'requests',
    ...limit,
    counterId: counterId(path, limit),
  };
}

const followedByKey = new RegExp(`/(?=(?:${KEYS.join('|')})(?:[=/]|$))`, 'g');

/** `user_id/plan=pro`. Reads back in one way only: a `/` that could begin a step is `%2F` in a value. */
export const ruleText = (path: readonly PathStep[]): string => path.map(stepText).join('/');

function stepText({ key, match }: PathStep): string {
  if (match.kind === 'any') return key;
  return `${key}=${match.text.replace(/%(?=25|2F)/g, '%25').replace(followedByKey, '%2F')}`;
}

const OF_USERS: readonly Key[] = ['user_id', 'plan', 'api_key', 'query_cost'];

function levelOf(path: readonly PathStep[], keys: ReadonlySet<Key>): Level {
  if (keys.has('endpoint')) return 'endpoint';
  if (path[0]?.key === 'global') return 'global';
  return OF_USERS.some((key) => keys.has(key)) ? 'user' : 'ip';
}

function scopeOf(path: readonly PathStep[], keys: ReadonlySet<Key>): Tier['scope'] {
  if (path[0]?.key === 'global') return 'global';
  return keys.has('api_key') ? 'api_key' : 'caller';
}

function counterId(path: readonly PathStep[], { algorithm, windowSeconds, name }: Limit): string {
  const steps = path.map(({ key, match }) => [key, match.text]);
  return hash('sha256', JSON.stringify([steps, algorithm, windowSeconds, name])).slice(0, 16);
}
