import { inPlace } from './in-place.ts';
import { tidings } from './tidings.ts';

/** Ours first, then the bare limit. */
export const banks = { tidings, 'in-place': inPlace } as const;

export type BankName = keyof typeof banks;
