import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { withinMs } from '../../../platform/deadline.js';
import { boundedText } from './bounded-text.js';
import { watchFile } from './file-watch.js';
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

interface Options {
  readonly answerMs: number;
  /** Called when the source is seen to have changed; a URL never calls it. */
  readonly onChange: () => void;
  readonly onBlind: (error: Error) => void;
}

/** @param source an http(s) URL; whatever is none is a file's path */
export function openRuleSource(source: string, options: Options): RuleSource {
  const isUrl = /^https?:/i.test(source) && URL.canParse(source);
  return isUrl ? openUrlSource(new URL(source), options) : openFileSource(source, options);
}

/** Rules in a file, watched: `onChange` is called in whatever way it is replaced. */
function openFileSource(path: string, options: Options): RuleSource {
  const watch = watchFile(path, options);
  async function readWatched(): Promise<string> {
    // Watch first, then read: in that order no change falls between the two.
    await watch.arm();
    if (!(await stat(path)).isFile()) throw new Error('it is not a file');
    return boundedText(createReadStream(path));
  }
  return {
    name: path,
    read: () => withinMs(options.answerMs, readWatched()),
    close: watch.close,
  };
}
