import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { drainOnSignal } from '../../src/platform/process/shutdown.js';

const silent = pino({ level: 'silent' });
const never = () => new Promise(() => undefined);
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));
/** What happened until the process ended, and after how many milliseconds. */
let happened: [string, number][];
let begun: number;
let hasEnded: boolean;
const note = (what: string) => hasEnded || happened.push([what, Math.round(performance.now() - begun)]);
const end = (how: string) => {
  note(how);
  hasEnded = true;
};
let tell: (() => void) | undefined;

beforeEach(() => {
  vi.useFakeTimers();
  happened = [];
  hasEnded = false;
  begun = performance.now();
  vi.spyOn(process, 'on').mockImplementation((event, listener) => {
    if (event === 'SIGTERM') tell = () => listener();
    return process;
  });
  vi.spyOn(process, 'kill').mockImplementation((_, signal) => end(`kill ${signal}`) as never);
  vi.spyOn(process, 'exit').mockImplementation((code) => end(`exit ${code}`) as never);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function drained(
  ...[steps, before]: [Parameters<typeof drainOnSignal>[2], Parameters<typeof drainOnSignal>[3]?]
) {
  drainOnSignal(silent, 1_000, steps, before);
  tell!();
  await vi.advanceTimersByTimeAsync(5_000);
  return happened;
}

it('a step that never ends keeps none of the others from being taken within the grace', async () => {
  expect(await drained([() => note('first'), never, () => note('third'), never, () => note('last')])).toEqual(
    [
      ['first', 0],
      ['third', 800],
      ['last', 960],
      ['kill SIGKILL', 960],
    ],
  );
});

it('what takes long is waited for, one after the other, and the process exits well', async () => {
  expect(await drained([() => wait(700), () => note('second'), () => wait(200)])).toEqual([
    ['second', 700],
    ['exit 0', 900],
  ]);
});

it('a step that fails shows in the exit code', async () => {
  const fail = () => Promise.reject(new Error('of a test'));
  expect(await drained([fail, () => note('second')])).toEqual([
    ['second', 0],
    ['exit 1', 0],
  ]);
});

it('the grace begins when the end was announced and the delay is over', async () => {
  const announce = () => wait(500);
  expect(await drained([() => wait(700)], { announce, delayMs: 3_000 })).toEqual([['exit 0', 3_700]]);
});

it('an announcement that never ends takes a second, and nothing of the grace', async () => {
  expect(await drained([() => wait(700), () => note('last')], { announce: never, delayMs: 0 })).toEqual([
    ['last', 1_700],
    ['kill SIGKILL', 1_700],
  ]);
});
