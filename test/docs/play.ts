import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Kind, parse, print } from 'graphql';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { readAuthSecret } from '../../src/local/kept-files.js';
import { signToken } from '../../src/platform/auth/auth.js';
import { type Block, blocksOf, type Step, stepOf, type User, users } from './blocks.js';
import { openPlaceholders } from './placeholders.js';
import type { Product } from './product.js';
import { openShell } from './shell.js';
import { difference, jsonLines, lastJson, matches, refusalIn } from './shown.js';

/** What one block may take, also on a machine that others keep busy: one of them waits for an api to start. */
const WITHIN_MS = 90_000;
/** Until what follows a change shows what is shown: read models and deliveries come a moment later. */
const SETTLES_WITHIN_MS = 30_000;

type Answer = { readonly output: string } | { readonly json: unknown };

/** Does what a guide says, from its first block to its last, as one reader in one terminal. */
export async function play(guide: string, product: Product, blocks = blocksOf(guide)): Promise<void> {
  const steps = blocks.flatMap((block) => stepOf(block) ?? []);
  if (!steps.some(({ kind }) => kind === 'shell' || kind === 'graphql' || kind === 'rules')) return;
  const shell = openShell(product);
  const placeholders = openPlaceholders();
  const subscriptions: Subscription[] = [];
  /** Of the last block, and how to ask for it again where that is harmless. */
  let last: { answer: Answer; again?: () => Promise<Answer> } | undefined;

  async function take(step: Step, next: Step | undefined): Promise<void> {
    const { block } = step;
    const shown = next?.kind === 'answer';
    switch (step.kind) {
      case 'file': {
        const file = path.join(product.folder, step.name);
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, product.here(block.text));
        return;
      }
      case 'shell': {
        const { output, complaints, failed } = await shell.run(product.here(block.text), WITHIN_MS);
        if (failed) throw new Error(`\`${failed}\` failed:\n${output}\n${complaints}`);
        const answers = jsonLines(output);
        placeholders.see(answers);
        expectDone(shown ? answers.slice(0, -1) : answers);
        last = { answer: { output } };
        return;
      }
      case 'graphql': {
        const variables = last && 'output' in last.answer ? lastJson(last.answer.output) : undefined;
        for (const operation of operationsOf(block.text, variables, placeholders.fill)) {
          if (operation.kind === 'subscription') {
            const before = await subscriptionsBegun(product);
            const subscription = subscribe(product, await tokenOf(step.user, product), operation);
            subscriptions.push(subscription);
            await untilBegun(product, before, subscription);
            last = undefined;
            continue;
          }
          const again = async (): Promise<Answer> => {
            const json = await ask(product, await tokenOf(step.user, product), operation);
            placeholders.see(json);
            return { json };
          };
          const answer = await again();
          if (!shown) expectDone('json' in answer ? answer.json : undefined);
          last = { answer, ...(operation.kind === 'query' && { again }) };
        }
        return;
      }
      case 'answer':
        if (!last) throw new Error('there is no answer before it');
        await expectShown(block, last, product);
        return;
      case 'update': {
        const newest = subscriptions.at(-1);
        if (!newest) throw new Error('there is no subscription before it');
        const update = await newest.next();
        placeholders.see(update);
        expectSame(difference(JSON.parse(product.here(block.text)), update), update);
        return;
      }
      case 'rules': {
        const query = `mutation ($document: String!) { putRateLimitRules(input: { document: $document, dryRun: true }) { userErrors { message } } }`;
        const token = await tokenOf('root', product);
        expectDone(await ask(product, token, { query, variables: { document: block.text } }));
      }
    }
  }

  try {
    for (const [i, step] of steps.entries())
      await take(step, steps[i + 1]).catch((error: Error) => {
        throw new Error(`${step.block.at}: ${error.message}`);
      });
    for (const subscription of subscriptions) subscription.expectOpen();
  } finally {
    shell.close();
    for (const subscription of subscriptions) subscription.close();
  }
}

async function tokenOf(user: User, { folder }: Product): Promise<string> {
  const secret = await readAuthSecret(path.join(folder, '.tidings'));
  return signToken(secret!, { userId: user, roles: [...users[user]], plan: 'pro', expiresInSeconds: 3_600 });
}

interface Operation {
  readonly query: string;
  readonly kind?: string;
  readonly variables?: unknown;
}

/** The operations of a block, each filled in when its turn has come: one may need what the one before has answered. */
function* operationsOf(
  source: string,
  variables: unknown,
  fill: (text: string) => string,
): Iterable<Operation> {
  const { definitions } = parse(source);
  const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  for (const definition of definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    yield {
      query: fill([definition, ...fragments].map(print).join('\n')),
      kind: definition.operation,
      ...(definition.variableDefinitions?.length && { variables }),
    };
  }
}

async function ask({ url }: Product, token: string, { query, variables }: Operation) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
    signal: AbortSignal.timeout(WITHIN_MS),
  });
  return (await response.json()) as unknown;
}

interface Subscription {
  next(): Promise<unknown>;
  /** @throws where it has ended, or was refused */
  expectOpen(): void;
  close(): void;
}

/** How many the api has begun so far. */
async function subscriptionsBegun({ url }: Product): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(WITHIN_MS) })).text();
  const counted = metrics.matchAll(/^graphql_requests_total\{.*operation_type="subscription".*\} (\d+)$/gm);
  return [...counted].reduce((sum, [, count]) => sum + Number(count), 0);
}

/**
 * A reader sees that a subscription runs before they go on: what happens earlier is none of its updates. The protocol does not
 * say so to a client, but the api counts it.
 */
async function untilBegun(product: Product, before: number, { expectOpen }: Subscription): Promise<void> {
  const deadline = Date.now() + WITHIN_MS;
  while ((await subscriptionsBegun(product)) === before) {
    expectOpen();
    if (Date.now() > deadline) throw new Error('the subscription did not begin');
    await wait(20);
  }
}

function subscribe({ url }: Product, token: string, { query, variables }: Operation): Subscription {
  const socket = createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
    retryAttempts: 0,
  });
  const updates: unknown[] = [];
  let ended: unknown;
  socket.subscribe(
    { query, variables: variables as Record<string, unknown> },
    {
      next: (update) => updates.push(update),
      error: (error) => (ended = error),
      complete: () => (ended ??= 'it was completed'),
    },
  );
  const expectOpen = (): void => {
    if (ended) throw new Error(`the subscription ended: ${JSON.stringify(ended)}`);
  };
  return {
    async next() {
      const deadline = Date.now() + WITHIN_MS;
      while (updates.length === 0) {
        expectOpen();
        if (Date.now() > deadline) throw new Error('the subscription sent nothing');
        await wait(50);
      }
      return updates.shift();
    },
    expectOpen,
    close: () => void socket.dispose(),
  };
}

/** @throws where an answer that nothing is shown of says that it was refused */
function expectDone(answer: unknown): void {
  const refusal = refusalIn(answer);
  if (refusal) throw new Error(`it was refused: ${JSON.stringify(refusal)}`);
}

async function expectShown(
  { language, text }: Block,
  { answer, again }: { answer: Answer; again?: () => Promise<Answer> },
  product: Product,
): Promise<void> {
  const differenceTo = (one: Answer): string | undefined => {
    if (language === 'json')
      return difference(JSON.parse(product.here(text)), 'json' in one ? one.json : lastJson(one.output));
    const output = 'json' in one ? JSON.stringify(one.json) : one.output;
    return matches(product.here(text).trim(), output.trim()) ? undefined : 'it is another text';
  };
  const deadline = Date.now() + SETTLES_WITHIN_MS;
  let newest = answer;
  while (differenceTo(newest) && again && Date.now() < deadline) {
    await wait(100);
    newest = await again();
  }
  expectSame(differenceTo(newest), 'json' in newest ? newest.json : newest.output);
}

function expectSame(found: string | undefined, actual: unknown): void {
  if (found)
    throw new Error(`${found}\nIt answered: ${typeof actual === 'string' ? actual : JSON.stringify(actual)}`);
}
