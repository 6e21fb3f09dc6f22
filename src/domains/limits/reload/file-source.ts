import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { withinMs } from '../../../platform/deadline.js';
import { boundedText } from './bounded-text.js';
import { watchFile } from './file-watch.js';
import type { RuleSource } from './rule-source.js';

/** Rules in a file, watched: `onChange` is called in whatever way it is replaced. */
export function openFileSource(
  path: string,
  options: {
    readonly answerMs: number;
    readonly onChange: () => void;
    readonly onBlind: (error: Error) => void;
  },
): RuleSource {
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
