import { Skeleton } from '@mantine/core';
import { Suspense } from 'react';
import type { DiffProps } from './code-mirror-diff.js';
import { loadedLater } from './loaded-later.js';

const Diff = loadedLater(() => import('./code-mirror-diff.js'));

/** What became of a text, line by line; its code is loaded when it is first shown. */
export function CodeDiff(props: DiffProps) {
  return (
    <Suspense fallback={<Skeleton height={120} />}>
      <Diff {...props} />
    </Suspense>
  );
}
