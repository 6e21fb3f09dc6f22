import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { ConfigError } from '../../../platform/config.js';
import { wordsOf } from './fingerprint.js';

/** Labels a text by what it contains; which labels hide a post is decided where posts are read. */
export type ContentPolicy = (content: string) => string[];

const document = z.strictObject({
  labels: z.record(z.string().regex(/^[a-z][a-z0-9-]{0,31}$/), z.array(z.string().min(1)).min(1)),
});

const SHIPPED = new URL('../../../../rules/content-policy.yaml', import.meta.url);

/**
 * A policy by word lists: a text that contains one of a label's words has the label. Case does not count; a word in the
 * middle of another is none.
 *
 * @param source a document like `rules/content-policy.yaml`; absent: that one
 * @throws ConfigError where the document is not like that
 */
export function createContentPolicy(source: string | URL = SHIPPED): ContentPolicy {
  const { labels } = read(source);
  const lists = Object.entries(labels).map(([label, words]) => ({
    label,
    words: new Set(words.flatMap(wordsOf)),
  }));
  return (content) => {
    const words = wordsOf(content);
    return lists.filter((list) => words.some((word) => list.words.has(word))).map(({ label }) => label);
  };
}

function read(source: string | URL): z.infer<typeof document> {
  try {
    return document.parse(parse(readFileSync(source, 'utf8')));
  } catch (error) {
    throw new ConfigError([`FEED_CONTENT_POLICY: ${error instanceof Error ? error.message : error}`]);
  }
}
