import { byHand } from './by-hand.ts';
import { tidings } from './tidings.ts';

/** Ours first, then the peer. */
export const shops = { tidings, 'by-hand': byHand } as const;

export type ShopName = keyof typeof shops;
