import { z } from 'zod';

/** An exact decimal, not below zero. */
export const decimal = z.string().regex(/^\d+(\.\d+)?$/);

/** The schema version that every event carries; events older than the field are of the first. */
export const schemaVersion = z.literal(1).default(1);
