import { z } from 'zod';
import type { Upcasters } from '../../platform/event-log/index.js';
import { customerIdOf } from './customer/events.js';
import { DEFAULT_CREDIT_LIMIT } from './shop.js';

const customerV1 = z.object({
  name: z.string(),
  email: z.string(),
  userId: z.string().optional(),
  creditLimit: z.string().optional(),
});

/** Lifts stored events of commerce to their newest schema versions. */
export const upcasters: Upcasters = {
  /** Version 1 had one name: what stands before its first space is the first name, the rest the last name. */
  CustomerRegistered(data, { streamId, metadata }) {
    if (data.version === 2) return data;
    const { name, email, userId, creditLimit } = customerV1.parse(data);
    const customerId = customerIdOf(streamId);
    const space = name.indexOf(' ');
    return {
      customerId,
      userId: userId ?? metadata.userId ?? customerId,
      firstName: space < 0 ? name : name.slice(0, space),
      lastName: space < 0 ? '' : name.slice(space + 1),
      email,
      creditLimit: creditLimit ?? DEFAULT_CREDIT_LIMIT,
      version: 2,
    };
  },
};
