import { SingleBar } from 'cli-progress';

/** Shows how far the load has come. */
export interface Progress {
  /** A step begins. */
  step(name: string): void;
  /** So many rows there will be. */
  expect(rows: number): void;
  /** So many more rows are on their way. */
  rows(count: number): void;
  /** The load is over; no other method is called after this. */
  end(): void;
}

export const silent: Progress = {
  step: () => undefined,
  expect: () => undefined,
  rows: () => undefined,
  end: () => undefined,
};

/** A bar on a terminal, else a line a step. */
export function showProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  return stream.isTTY ? bar(stream) : lines(stream);
}

function bar(stream: NodeJS.WriteStream): Progress {
  const single = new SingleBar({
    format: 'demo data {bar} {percentage}% {step}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    stream,
  });
  single.start(1, 0, { step: '' });
  return {
    step: (name) => single.update({ step: name }),
    expect: (rows) => single.setTotal(rows),
    rows: (count) => single.increment(count),
    end: () => single.stop(),
  };
}

const lines = (stream: NodeJS.WriteStream): Progress => ({
  ...silent,
  step: (name) => stream.write(`demo data: ${name}\n`),
});
