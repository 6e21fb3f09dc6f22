// Preloaded (`--import`) into a process under test. On SIGUSR2 it writes one line, `emitters without a listener: ` and a
// JSON array: the constructor names of all living event emitters whose `error` event would end the process, since
// nothing listens to it.
import { EventEmitter } from 'node:events';
import { writeSync } from 'node:fs';
import { Session } from 'node:inspector';

const PROTOTYPE = Symbol.for('tidings.test.emitter');
globalThis[PROTOTYPE] = EventEmitter.prototype;

/** Runs inside the inspector's call, on every living object that inherits from EventEmitter. */
function namesWithoutListener() {
  // Ended ones emit nothing any more; a prototype is no emitter.
  const isOver = (one) =>
    one.destroyed === true || one.closed === true || one.exitCode != null || one.status === 'end';
  const found = [];
  for (const one of this) {
    try {
      if (Object.hasOwn(one, 'constructor') || one._events === undefined || isOver(one)) continue;
      if (one.listenerCount('error') > 0) continue;
      const name = one.constructor?.name ?? 'Object';
      // Which of a process's many sockets it is, its listeners tell best.
      found.push(name === 'Socket' ? `Socket with ${one.eventNames().map(String).sort().join(', ')}` : name);
    } catch {
      // A getter that needs a state which this object is not in.
    }
  }
  // Short enough for a pipe to take in one piece.
  return JSON.stringify([...new Set(found)].sort());
}

function list() {
  const session = new Session();
  session.connect();
  // Answers come before `post` returns.
  const ask = (method, parameters) => {
    let answer;
    session.post(method, parameters, (error, result) => {
      if (error) throw error;
      answer = result;
    });
    return answer;
  };
  try {
    const { result } = ask('Runtime.evaluate', {
      expression: `globalThis[Symbol.for('tidings.test.emitter')]`,
    });
    const { objects } = ask('Runtime.queryObjects', { prototypeObjectId: result.objectId });
    const { result: names } = ask('Runtime.callFunctionOn', {
      objectId: objects.objectId,
      functionDeclaration: namesWithoutListener.toString(),
      returnByValue: true,
    });
    return names.value;
  } finally {
    session.disconnect();
  }
}

// Not by `process.stdout`, which would be one more emitter.
process.on('SIGUSR2', () => writeSync(1, `emitters without a listener: ${list()}\n`));
