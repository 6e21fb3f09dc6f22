import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import type { RequestContext } from '../../src/context.js';
import { PublicError } from '../../src/platform/errors.js';
import { showChanged } from '../../src/resolvers/changed-object.js';
import { Account } from '../../src/schema/commerce-accounts.js';
import { commandPayloadOf } from '../../src/schema/commerce-command.js';

/** A payload's field over a read that does what the test says; notes what each read waited for. */
function fieldOver(read: () => Promise<{ version: number } | null>) {
  const waits: (number | undefined)[] = [];
  const logged: string[] = [];
  const Resolver = showChanged(commandPayloadOf('Deposit'), {
    field: 'account',
    type: Account,
    read: (_context, _caller, _id, wait) => {
      waits.push(wait?.afterVersion);
      return read();
    },
    show: (model) => model,
  });
  const context = {
    viewer: { userId: 'ann', roles: new Set(), plan: 'free' },
    app: {},
    logger: { error: (_: object, message: string) => logged.push(message) },
  } as unknown as RequestContext;
  const changed = (version: number | null, aggregateId: string | null = 'a') =>
    new Resolver().changed({ aggregateId, version, position: null, userErrors: [] }, context);
  return { changed, waits, logged };
}

describe('the object in the payload of a command', () => {
  it('is read at the version of the command', async () => {
    const { changed, waits } = fieldOver(async () => ({ version: 4 }));
    expect(await changed(3)).toEqual({ version: 4 });
    expect(waits).toEqual([3]);
  });

  it('is not read where the command was refused', async () => {
    const { changed, waits } = fieldOver(async () => ({ version: 4 }));
    expect(await changed(null, null)).toBeNull();
    expect(waits).toEqual([]);
  });

  it('is waited for once an operation: after a read model was late, the other payloads take what is there', async () => {
    const reads = [
      () => Promise.reject(new PublicError('READ_MODEL_TIMEOUT', 'late')),
      async () => ({ version: 3 }),
      async () => ({ version: 5 }),
    ];
    const { changed, waits } = fieldOver(() => reads.shift()!());
    expect([await changed(4), await changed(4), await changed(5)]).toEqual([null, null, { version: 5 }]);
    expect(waits).toEqual([4, undefined, undefined]);
  });

  it('is null where its reader may not see it, or where reading fails: the command is accepted', async () => {
    const forbidden = fieldOver(() => Promise.reject(new PublicError('FORBIDDEN', 'not yours')));
    expect([await forbidden.changed(1), forbidden.logged]).toEqual([null, []]);
    const broken = fieldOver(() => Promise.reject(new Error('connection lost')));
    expect(await broken.changed(1)).toBeNull();
    expect(broken.logged).toHaveLength(1);
  });
});
