import { type ComponentType, lazy } from 'react';
import { loadCode } from '../load-code.js';

/** As React's `lazy`, which would keep for ever that code could not be loaded. */
// biome-ignore lint/suspicious/noExplicitAny: as `lazy` has it
export const loadedLater = <T extends ComponentType<any>>(load: () => Promise<{ readonly default: T }>) =>
  lazy(() => loadCode(load));
