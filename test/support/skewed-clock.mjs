// A preload (`node --import`) that shifts a process's wall clock by as many milliseconds as the file SKEWED_CLOCK_FILE says,
// looked at again and again; none while it is empty or absent. Monotonic clocks and timers stay as they are.
import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 20;
const file = process.env.SKEWED_CLOCK_FILE;
let offsetMs = 0;

function look() {
  try {
    offsetMs = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    offsetMs = 0;
  }
}

if (file) {
  const realNow = Date.now;
  const now = () => realNow() + offsetMs;
  Date.now = now;
  globalThis.Date = new Proxy(Date, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length > 0 ? args : [now()], newTarget),
    apply: (target) => new target(now()).toString(),
  });
  look();
  setInterval(look, LOOK_EVERY_MS).unref();
}
