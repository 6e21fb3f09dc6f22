import { emmett } from './emmett.ts';
import { tidings } from './tidings.ts';

/** Ours, ours without snapshots for scale, and the peer. */
export const loaders = { tidings: tidings(true), 'tidings-unsnapped': tidings(false), emmett } as const;

export type LoaderName = keyof typeof loaders;
