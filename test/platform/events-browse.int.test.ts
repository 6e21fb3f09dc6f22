import { type GraphQLSchema, graphql } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../src/platform/auth/caller.js';
import { browseEvents } from '../../src/platform/event-log/browse.js';
import type { Upcasters } from '../../src/platform/event-log/index.js';
import { encodeCursor, type PagingArguments } from '../../src/platform/paging.js';
import type { Queryable, Statement } from '../../src/platform/postgres/postgres.js';
import { buildApiSchema } from '../../src/schema/build.js';
import { callerNamed, startProjector } from '../commerce/with-commerce.js';
import { caughtUp, openProjectorWorld, type ProjectorWorld, tally } from './projector-world.js';

const admin = callerNamed('ada', 'admin');
const upcasters: Upcasters = {
  Named({ name, ...data }) {
    if (typeof name !== 'string') throw new Error('a name is text');
    const [first, ...rest] = name.split(' ');
    return { ...data, first: first!, last: rest.join(' ') };
  },
};
let on: ProjectorWorld;
let schema: GraphQLSchema;

beforeAll(async () => {
  [on, schema] = await Promise.all([openProjectorWorld(upcasters), buildApiSchema()]);
  // Positions 1 to 60: three streams in turn; every fifth event belongs to the story `audit`.
  for (let n = 1; n <= 60; n += 1) {
    await on.log.append({
      metadata: {
        correlationId: n % 5 === 0 ? 'audit' : `story ${n}`,
        causationId: `cause ${n}`,
        userId: 'bob',
      },
      appends: [
        { streamId: `Thing-${n % 3}`, expected: 'any', events: [{ type: 'Counted', data: { by: n } }] },
      ],
    });
  }
});
afterAll(() => on.close());

async function ask(by: Caller | null, source: string, variableValues: Record<string, unknown> = {}) {
  const app = { postgres: on.postgres, log: on.log };
  const contextValue = { app, viewer: by?.viewer ?? null, correlationId: 'test' };
  const result = await graphql({ schema, source, variableValues, contextValue });
  return JSON.parse(JSON.stringify(result)) as {
    data: Record<string, never> | null;
    errors?: { message: string }[];
  };
}

interface EventsArgs extends PagingArguments {
  readonly fromPosition?: string;
  readonly streamId?: string;
  readonly correlationId?: string;
}
const EVENTS = `query (
    $fromPosition: String, $streamId: String, $correlationId: String,
    $first: Int, $after: String, $last: Int, $before: String
  ) {
    events(fromPosition: $fromPosition, streamId: $streamId, correlationId: $correlationId,
      first: $first, after: $after, last: $last, before: $before) {
      edges { cursor node { globalPosition streamId streamPosition eventType data metadata createdAt } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }`;
interface Page {
  edges: { cursor: string; node: { globalPosition: string; data: object; streamPosition: number } }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
}
async function events(args: EventsArgs): Promise<Page> {
  const { data, errors } = await ask(admin, EVENTS, { ...args });
  expect(errors).toBeUndefined();
  return data!.events as unknown as Page;
}
const positions = (page: Page): number[] => page.edges.map(({ node }) => Number(node.globalPosition));
const upTo60 = (which: (n: number) => boolean): number[] =>
  Array.from({ length: 60 }, (_, i) => i + 1).filter(which);

const filters: [string, EventsArgs, (n: number) => boolean][] = [
  ['the whole log', {}, () => true],
  ['the log from a position, itself included', { fromPosition: '17' }, (n) => n >= 17],
  ['a stream', { streamId: 'Thing-1' }, (n) => n % 3 === 1],
  ['a story', { correlationId: 'audit' }, (n) => n % 5 === 0],
  [
    'what a story did to a stream, from a position',
    { correlationId: 'audit', streamId: 'Thing-0', fromPosition: '16' },
    (n) => n % 15 === 0 && n >= 16,
  ],
  ['a stream that nobody wrote to', { streamId: 'Thing-9' }, () => false],
];

it.each(filters)(
  '%s is paged through forwards and backwards without gap or repeat',
  async (_, filter, which) => {
    const forwards: number[] = [];
    for (let after: string | undefined, more = true; more; ) {
      const page = await events({ ...filter, first: 7, after: after ?? null });
      forwards.push(...positions(page));
      after = page.pageInfo.endCursor;
      more = page.pageInfo.hasNextPage;
    }
    expect(forwards).toEqual(upTo60(which));

    const backwards: number[] = [];
    for (let before: string | undefined, more = true; more; ) {
      const page = await events({ ...filter, last: 7, before: before ?? null });
      backwards.unshift(...positions(page));
      before = page.pageInfo.startCursor;
      more = page.pageInfo.hasPreviousPage;
    }
    expect(backwards).toEqual(upTo60(which));
  },
);

it.each(['forward', 'backward'] as const)(
  'a page deep in a long stream, %s, reads no more than itself',
  async (direction) => {
    const streamId = `Long-${direction}`;
    await on.count(streamId, ...Array<number>(3_000).fill(1));
    await on.postgres.query('ANALYZE events');
    const stored = await on.log.readStream(streamId);
    const asked: [Statement, readonly unknown[]][] = [];
    const listening: Queryable = {
      query(statement, values = []) {
        asked.push([statement as Statement, values]);
        return on.postgres.query(statement, values);
      },
    };
    const cursor = encodeCursor('events', stored[1_500]!.globalPosition);
    const page = { limit: 20, direction, cursor };
    const { edges } = await browseEvents({ postgres: listening, log: on.log }, { streamId }, page);
    const from = direction === 'forward' ? 1_501 : 1_480;
    expect(edges.map(({ node }) => node)).toEqual(stored.slice(from, from + 20));

    const [{ text }, values] = asked[0]!;
    const { rows } = await on.postgres.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values);
    const [{ Plan: plan }] = rows[0]!['QUERY PLAN'];
    // The cursor's event, and the way through the index to the page: all 3,000 events lie on more than a hundred.
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(20);
  },
);

it('a cursor that another filter gave holds in a stream too', async () => {
  const cursors = [encodeCursor('events', 30), encodeCursor('events', 31)];
  for (const after of cursors) {
    expect(positions(await events({ streamId: 'Thing-2', first: 2, after }))).toEqual([32, 35]);
  }
  for (const before of cursors) {
    expect(positions(await events({ streamId: 'Thing-2', last: 2, before }))).toEqual([26, 29]);
  }
});

it('an event is shown whole', async () => {
  const page = await events({ fromPosition: '4', first: 1 });
  expect(page.edges[0]!.node).toEqual({
    globalPosition: '4',
    streamId: 'Thing-1',
    streamPosition: 1,
    eventType: 'Counted',
    data: { by: 4 },
    metadata: { correlationId: 'story 4', causationId: 'cause 4', userId: 'bob' },
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
  });
});

it('an old event is shown in its newest version, one that cannot be read as it was stored', async () => {
  const metadata = { correlationId: 'names', causationId: 'test' };
  const named = [{ name: 'Ada King Lovelace' }, { name: 42 }].map((data) => ({ type: 'Named', data }));
  await on.log.append({ metadata, appends: [{ streamId: 'Name-1', expected: 'none', events: named }] });
  const page = await events({ correlationId: 'names' });
  expect(page.edges.map(({ node }) => node.data)).toEqual([
    { first: 'Ada', last: 'King Lovelace' },
    { name: 42 },
  ]);
});

it.each(['-1', '1.5', 'x', '', ' 1', '0x10', '99999999999999999999'])(
  'the position %j is refused',
  async (fromPosition) => {
    const { data, errors } = await ask(admin, EVENTS, { fromPosition });
    expect(data?.events ?? null).toBeNull();
    expect(errors?.[0]?.message).toMatch(/^fromPosition is a log position/);
  },
);

it('a cursor that is none is refused', async () => {
  expect((await ask(admin, EVENTS, { after: 'nonsense' })).errors?.[0]?.message).toMatch(/cursor/);
});

it('the log, the projectors and their rebuilds are the admin’s', async () => {
  for (const by of [null, callerNamed('alice')]) {
    const rebuild = 'mutation { rebuildProjector(input: { name: "tally" }) { userErrors { code } } }';
    for (const source of [EVENTS, '{ projectors { name } }', rebuild]) {
      const { errors } = await ask(by, source);
      expect(errors?.[0]?.message).toMatch(by ? /role admin/ : /token/);
    }
  }
  expect((await on.postgres.query('SELECT FROM projector_rebuilds')).rowCount).toBe(0);
});

it('projectors are listed, and rebuilt by name', async () => {
  const runner = startProjector(on, tally());
  await caughtUp(on, 'tally');
  await runner.stop();
  const head = String(await on.log.head());
  const fields = 'name state lastPosition headPosition lagEvents lagMs lastError updatedAt rebuiltAt';
  expect(await ask(admin, `{ projectors { ${fields} } }`)).toEqual({
    data: {
      projectors: [
        {
          name: 'tally',
          state: 'LIVE',
          lastPosition: head,
          headPosition: head,
          lagEvents: 0,
          lagMs: 0,
          lastError: null,
          updatedAt: expect.any(String),
          rebuiltAt: null,
        },
      ],
    },
  });
  const rebuild = (name: string) =>
    ask(
      admin,
      `mutation { rebuildProjector(input: { name: "${name}" }) { projector { name state } userErrors { code path } } }`,
    );
  expect(await rebuild('tally')).toEqual({
    data: { rebuildProjector: { projector: { name: 'tally', state: 'REBUILDING' }, userErrors: [] } },
  });
  expect(await rebuild('nobody')).toEqual({
    data: {
      rebuildProjector: {
        projector: null,
        userErrors: [{ code: 'PROJECTOR_NOT_FOUND', path: ['input', 'name'] }],
      },
    },
  });
});
