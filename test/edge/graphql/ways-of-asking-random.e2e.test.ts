import {
  type DocumentNode,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  OperationTypeNode,
  parse,
  subscribe,
  validate,
} from 'graphql';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { hostileSchema } from '../hostile-schema.js';
import { drawDocument } from '../random-document.js';
import { startToy, type Toy } from '../toy-edge.js';

const DOCUMENTS = 120;
const EVENTS = 2;

let schema: GraphQLSchema;
let toy: Toy;
beforeAll(async () => {
  schema = withSubscriptions(hostileSchema({ anys: '["any", null]' }));
  const all = 1_000_000;
  toy = await startToy({
    schema,
    development: true,
    createContext: (request) => ({ request, calls: [] }),
    limits: {
      maxAliases: all,
      maxRepeatedFields: all,
      maxFields: all,
      maxTokens: all,
      maxCost: Number.POSITIVE_INFINITY,
    },
  });
});
afterAll(() => toy.edge.close());

function withSubscriptions(of: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(of.getSubscriptionType()?.getFields() ?? {}))
    field.subscribe = async function* () {
      for (let event = 1; event <= EVENTS; event += 1) yield { seed: `event ${event}` };
    };
  return of;
}

interface Asked {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly Pick<GraphQLError, 'path' | 'locations'>[];
}

/** To the byte, but for the errors' messages, which are masked, and their codes. */
const shown = ({ data, errors }: Answer): string =>
  JSON.stringify({ errors: errors?.map(({ path, locations }) => ({ path, locations })), data });

/** What graphql-js says: several answers of a subscription. */
async function expectedOf(document: DocumentNode, variables: Asked['variables']): Promise<string[]> {
  const asked = { schema, document, contextValue: { calls: [] }, variableValues: variables };
  if (getOperationAST(document)?.operation !== OperationTypeNode.SUBSCRIPTION)
    return [shown((await execute(asked)) as Answer)];
  const answers = await subscribe(asked);
  if (!(Symbol.asyncIterator in answers)) return [shown(answers as Answer)];
  const all: string[] = [];
  for await (const answer of answers) all.push(shown(answer as Answer));
  return all;
}

const byPost =
  (accept: string) =>
  async (asked: Asked): Promise<string[]> => {
    const response = await fetch(`${toy.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify(asked),
    });
    return [shown((await response.json()) as Answer)];
  };

async function bySocket(asked: Asked): Promise<string[]> {
  const client = createClient({ url: toy.socketUrl, webSocketImpl: WebSocket, retryAttempts: 0 });
  const answers: string[] = [];
  try {
    for await (const answer of client.iterate(asked)) answers.push(shown(answer as Answer));
    return answers;
  } finally {
    await client.dispose();
  }
}

const ways: Readonly<Record<string, (asked: Asked) => Promise<string[]>>> = {
  'plain POST': byPost('application/json'),
  'POST through Apollo': byPost('application/json;q=0.9, application/graphql-response+json;q=0.1'),
  WebSocket: bySocket,
};

const isAsked = ({ source, variables }: { source: string; variables: object }): boolean => {
  const document = parse(source);
  if (validate(schema, document, undefined, { maxErrors: 1 }).length > 0) return false;
  const definitions = getOperationAST(document)?.variableDefinitions ?? [];
  return !getVariableValues(schema, definitions, { ...variables }).errors;
};

test('whatever way a document comes, first or later, the answer is that of graphql-js', async () => {
  let compared = 0;
  for (let seed = 0; compared < DOCUMENTS; seed += 1) {
    const drawn = drawDocument(schema, `ways ${seed}`);
    if (!isAsked(drawn)) continue;
    compared += 1;
    const document = parse(drawn.source);
    const isSubscription = getOperationAST(document)?.operation === OperationTypeNode.SUBSCRIPTION;
    const expected = await expectedOf(document, drawn.variables);
    const asked = { query: drawn.source, variables: drawn.variables };
    for (const time of ['first', 'again', 'a third time'])
      for (const [way, ask] of Object.entries(ways))
        if (!isSubscription || way === 'WebSocket')
          expect(await ask(asked), `${way}, ${time}: ${drawn.source}`).toEqual(expected);
  }
}, 300_000);
