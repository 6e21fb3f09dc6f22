import { z } from 'zod';
import { hasAtMost } from '../../platform/text.js';
import { MAX_USER_ID } from './types.js';

/** A user's id in the payload of a job or an outbox entry: whatever a token may have. */
export const userId = z
  .string()
  .min(1)
  .refine((id) => hasAtMost(id, MAX_USER_ID));
