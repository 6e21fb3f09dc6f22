import { setTimeout as pause } from 'node:timers/promises';
import { createChance } from '../feed/random.js';
import type { TypedDocumentString } from '../support/generated/graphql.js';
import { type Answer, askOnce, type Caller } from './caller.js';
import type { Fleet } from './fleet.js';
import type { Ledger } from './ledger.js';
import { writers } from './load-writers.js';
import type { People } from './world.js';

/** Goes on until it is told to stop; everything that it does follows from the seed and from what it is answered. */
export interface Load {
  /** Nothing new is begun; resolves when everything that was asked for has been answered. */
  pause(): Promise<void>;
  resume(): void;
  stop(): Promise<void>;
  /** As the load's own loops ask; the test's own writes. */
  readonly answered: LoopTools['answered'];
}

/** What one loop of the load works with. */
export interface LoopTools {
  readonly people: People;
  readonly ledger: Ledger;
  /** A whole number from 0 to below `n`. */
  below(n: number): number;
  /** An id that nothing else of the load has. */
  id(): string;
  /** Asks one api after another with the same variables until one answers: the operation must be repeatable. */
  answered<D extends Answered, V extends Record<string, unknown>>(
    caller: Caller,
    document: TypedDocumentString<D, V>,
    variables: V,
    /** Refusals that say that an earlier try, of which no answer came, had its effect. */
    doneAlready?: readonly string[],
  ): Promise<D>;
  /** Asks one api, once. */
  once<D, V extends Record<string, unknown>>(
    caller: Caller,
    document: TypedDocumentString<D, V>,
    variables: V,
  ): Promise<Answer<D>>;
}

export type Answered = {
  readonly [field: string]: { readonly userErrors: readonly { readonly code: string }[] } | unknown;
};

/** What was asked for is answered within this, once the fault is over. */
const ANSWERED_WITHIN_MS = 60_000;
const BETWEEN_TRIES_MS = 100;
const BETWEEN_TURNS_MS = Number(process.env.FAULT_PACE_MS ?? 60);

export function startLoad(fleet: Fleet, people: People, ledger: Ledger, seed: number): Load {
  let state: 'running' | 'paused' | 'stopped' = 'running';
  let made = 0;
  const inTurn = new Set<number>();

  const toolsOf = (loop: number): LoopTools => {
    const chance = createChance(seed + loop);
    let tries = loop;
    const apis = fleet.apis;
    async function ask<D, V extends Record<string, unknown>>(
      caller: Caller,
      document: TypedDocumentString<D, V>,
      variables: V,
    ): Promise<Answer<D>> {
      tries += 1;
      const index = tries % apis.length;
      const { authorization } = caller.at[index]!;
      return askOnce(apis[index]!.url, authorization, document, variables, ledger.answers);
    }
    return {
      people,
      ledger,
      below: chance.int,
      id() {
        made += 1;
        return `${seed}-${loop}-${made}`;
      },
      once: ask,
      async answered(caller, document, variables, doneAlready = []) {
        const deadline = Date.now() + ANSWERED_WITHIN_MS;
        let unsure = false;
        for (;;) {
          const answer = await ask(caller, document, variables);
          if (answer.kind === 'data') {
            const codes = Object.values(answer.data).flatMap((payload) =>
              ((payload as { userErrors?: { code: string }[] } | null)?.userErrors ?? []).map(
                ({ code }) => code,
              ),
            );
            if (codes.length === 0 || (unsure && codes.every((code) => doneAlready.includes(code)))) {
              return answer.data;
            }
            if (!codes.includes('CONFLICT')) {
              // Where providers lie, an address may be on the suppression list by now.
              const isLeftOut = ledger.mayGiveUp && codes.every((code) => code === 'NOTHING_TO_SEND');
              if (!isLeftOut) ledger.violations.push(`${titleOf(document)} was refused: ${codes.join()}`);
              throw new Refused();
            }
          }
          // Also what was answered by a surprise may have had its effect.
          unsure ||= answer.kind !== 'data';
          if (Date.now() > deadline) {
            const said = JSON.stringify(answer);
            ledger.violations.push(`no answer in ${ANSWERED_WITHIN_MS} ms to ${titleOf(document)}: ${said}`);
            throw new Unanswered();
          }
          await pause(BETWEEN_TRIES_MS);
        }
      },
    };
  };

  async function run(loop: number, turn: () => Promise<void>): Promise<void> {
    while (state !== 'stopped') {
      if (state === 'running') {
        inTurn.add(loop);
        try {
          await turn();
        } catch (error) {
          if (!(error instanceof Unanswered || error instanceof Refused))
            ledger.violations.push(`the load failed: ${(error as Error).stack}`);
        } finally {
          inTurn.delete(loop);
        }
      }
      await pause(BETWEEN_TURNS_MS);
    }
  }

  const loops = writers.map((writer, loop) => run(loop, writer(toolsOf(loop))));
  return {
    answered: toolsOf(writers.length).answered,
    async pause() {
      state = 'paused';
      while (inTurn.size > 0) await pause(20);
    },
    resume() {
      state = 'running';
    },
    async stop() {
      state = 'stopped';
      await Promise.all(loops);
    },
  };
}

/** Both are violations that were noted. */
class Unanswered extends Error {}
class Refused extends Error {}

const titleOf = (document: { toString(): string }): string =>
  /(?:mutation|query) (\w+)/.exec(document.toString())?.[1] ?? '';
