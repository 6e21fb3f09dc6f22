import { createHash } from 'node:crypto';
import { type AnswerLog, newAnswerLog } from './caller.js';

/** A post as its author was told that it is. */
export interface PostRecord {
  readonly postId: string;
  readonly author: string;
  /** As it was acknowledged last; every later read shows this, or what was written after it. */
  edit: number;
  /** An edit that was asked for and not yet acknowledged. */
  editing: number;
  deleted: boolean;
}

/** What the load was told, and what it could not know. Everything else here is checked against it. */
export interface Ledger {
  readonly answers: AnswerLog;
  /** Sentences about what must never be: each fails the test. */
  readonly violations: string[];
  /** By the key that stands in the content. */
  readonly posts: Map<string, PostRecord>;
  /** Keys of posts that were asked for once, without an answer. */
  readonly doubtfulPosts: Set<string>;
  /** Cents by their description. */
  readonly deposits: Map<string, number>;
  readonly doubtfulDeposits: Map<string, number>;
  /** Cents by transfer. */
  readonly transfers: Map<string, number>;
  readonly orders: Map<string, 'CONFIRMED' | 'SHIPPED' | 'CANCELLED'>;
  /** Notification ids by channel. */
  readonly notifications: Map<string, 'PUSH' | 'EMAIL' | 'SMS' | 'IN_APP'>;
  /** Who likes which post, as acknowledged. */
  readonly likes: Map<string, Set<string>>;
  /** Whether a notification may be given up: only where its provider was broken. */
  mayGiveUp: boolean;
}

export const newLedger = (): Ledger => ({
  answers: newAnswerLog(),
  violations: [],
  posts: new Map(),
  doubtfulPosts: new Set(),
  deposits: new Map(),
  doubtfulDeposits: new Map(),
  transfers: new Map(),
  orders: new Map(),
  notifications: new Map(),
  likes: new Map(),
  mayGiveUp: false,
});

/** The content of a post says which one it is and how often it was edited. */
export function contentOf(key: string, edit: number): string {
  // Words of its own: feeds show one of several posts that are nearly the same.
  const words = createHash('sha256').update(key).digest('hex').match(/.{8}/g) ?? [];
  return `post ${key} edit ${edit} of ${words.join(' ')}`;
}

export function readContent(content: string): { key: string; edit: number } | undefined {
  const [, key, edit] = /^post (\S+) edit (\d+) /.exec(content) ?? [];
  return key === undefined ? undefined : { key, edit: Number(edit) };
}
