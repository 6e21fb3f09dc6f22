import { emmett } from './emmett.ts';
import { tidings } from './tidings.ts';

/** Ours first, then the peers. */
export const stores = { tidings, emmett } as const;

export type StoreName = keyof typeof stores;
