import { openFileSource } from './file-source.js';
import { openUrlSource } from './url-source.js';

/** Within this, a source's document has come or the source counts as unreachable. */
export const SOURCE_ANSWER_MS = 5_000;

/** Where the rules are configured to come from. */
export interface RuleSource {
  /** As logs and the API show it. */
  readonly name: string;
  /**
   * The document of this moment.
   *
   * @throws Error that says in a few words why it cannot be had: gone, too large, too slow, refused
   */
  read(): Promise<string>;
  /** Ends at once; a reading under way rejects. */
  close(): void;
}

/**
 * @param source an http(s) URL; whatever is none is a file's path
 * @param onChange called when the source is seen to have changed; a URL never calls it
 */
export function openRuleSource(
  source: string,
  options: {
    readonly answerMs: number;
    readonly onChange: () => void;
    readonly onBlind: (error: Error) => void;
  },
): RuleSource {
  const isUrl = /^https?:/i.test(source) && URL.canParse(source);
  return isUrl ? openUrlSource(new URL(source), options) : openFileSource(source, options);
}
