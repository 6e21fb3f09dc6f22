import type { UserFault } from '../common/ui/act.js';
import type { EditorFault } from '../common/ui/code-mirror.js';

const PLACE = /\bline (\d+), column (\d+)(: )?/;

/** Faults at the line and column that their messages name; without one, at the start. What is shown there does not repeat it. */
export const faultsIn = (faults: readonly UserFault[]): readonly EditorFault[] =>
  faults.map(({ message }) => {
    const found = PLACE.exec(message);
    const isAtHead = found?.index === 0 && found[3] !== undefined;
    return {
      line: Number(found?.[1] ?? 1),
      column: Number(found?.[2] ?? 1),
      message: isAtHead ? message.slice(found[0].length) : message,
    };
  });
