import { describe, expect, it } from 'vitest';
import { drainMailbox } from '../../src/domains/notifications/delivery/drain.js';
import { createOwnDrains } from '../../src/domains/notifications/delivery/drains.js';
import { queueOf } from '../../src/domains/notifications/delivery/tasks.js';

const mailbox = { queue: queueOf('push', 'high'), userId: 'ann' };
const run = { correlationId: 'test', signal: new AbortController().signal } as Parameters<
  typeof drainMailbox
>[2];

/** Mailboxes that are empty; counts how often that was asked. */
function emptyMailboxes() {
  const asked = { times: 0 };
  const deps = {
    drains: createOwnDrains(),
    mailboxes: {
      claim: async () => {
        asked.times += 1;
        return { kind: 'empty' };
      },
    },
  } as unknown as Parameters<typeof drainMailbox>[0];
  return { deps, asked };
}

describe('a mailbox', () => {
  it('is looked at after each wake-up, at whatever moment of another drain it comes', async () => {
    for (let steps = 0; steps < 12; steps += 1) {
      const { deps, asked } = emptyMailboxes();
      const first = drainMailbox(deps, mailbox, run);
      for (let step = 0; step < steps; step += 1) await null;
      const before = asked.times;
      await Promise.all([first, drainMailbox(deps, mailbox, run)]);
      expect(asked.times, `after ${steps} steps`).toBeGreaterThan(before);
    }
  });

  it('is drained once at a time, and others meanwhile', () => {
    const drains = createOwnDrains();
    const drain = drains.begin(mailbox);
    expect(drains.begin(mailbox)).toBeNull();
    expect(drains.begin({ ...mailbox, userId: 'ben' })).not.toBeNull();
    expect(drain!.endUnlessWoken()).toBe(false);
    expect(drain!.endUnlessWoken()).toBe(true);
    expect(drains.begin(mailbox)).not.toBeNull();
  });
});
