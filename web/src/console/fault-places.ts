import type { UserFault } from '../common/ui/act.js';
import type { EditorFault } from '../common/ui/code-mirror.js';

const PLACE = /\bline (\d+), column (\d+)/;

/** Faults at the line and column that their messages name; without one, at the start. */
export const faultsIn = (faults: readonly UserFault[]): readonly EditorFault[] =>
  faults.map(({ message }) => {
    const [, line, column] = PLACE.exec(message) ?? [];
    return { line: Number(line ?? 1), column: Number(column ?? 1), message };
  });
