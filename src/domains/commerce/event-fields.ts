import { z } from 'zod';

/** An exact decimal, not below zero. */
export const decimal = z.string().regex(/^\d+(\.\d+)?$/);
