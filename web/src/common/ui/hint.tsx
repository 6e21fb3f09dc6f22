import { Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';

interface HintProps {
  readonly label: string;
  readonly children: ReactElement;
}

/** What is known besides, beside what the pointer has come to: loaded by then, since most of it is never asked for. */
export default function Hint({ label, children }: HintProps) {
  return (
    <Tooltip label={label} defaultOpened>
      {children}
    </Tooltip>
  );
}
