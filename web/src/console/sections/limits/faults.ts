import type { UserFault } from '../../../common/ui/act.js';
import type { EditorFault } from '../../../common/ui/code-mirror.js';

const PLACE = /^line (\d+), column (\d+): /;

/** The faults of a document at their places. The API says line and column at the head of its messages. */
export const editorFaults = (faults: readonly UserFault[]): readonly EditorFault[] =>
  faults.map(({ message }) => {
    const [head, line, column] = PLACE.exec(message) ?? [];
    if (!head) return { line: 1, message };
    return { line: Number(line), column: Number(column), message: message.slice(head.length) };
  });
