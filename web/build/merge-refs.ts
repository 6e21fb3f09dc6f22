import { useMergedRef } from '@mantine/hooks';
import type { Ref } from 'react';

/** As @floating-ui/react has it. */
export const useMergeRefs = <T>(refs: readonly Ref<T>[]) => useMergedRef(...refs);
