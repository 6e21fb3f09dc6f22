/** Functions that a parent may call; arguments and results are copied between the processes. */
// biome-ignore lint/suspicious/noExplicitAny: only `any` lets functions of every parameter list in
export type Methods = Record<string, (...args: any[]) => unknown>;

/** A call on its way to the child. */
export interface Question {
  readonly id: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

/** What came of it. */
export type Answer = { readonly id: number } & ({ readonly value: unknown } | { readonly error: string });

/**
 * Makes `methods` callable by the parent process, and ends this process when the parent lets go of it,
 * so that nothing is left behind by a parent that was killed.
 */
export function answerParent(methods: Methods): void {
  process.on('message', async (question: Question) => {
    try {
      const value = await methods[question.name]?.(...question.args);
      reply({ id: question.id, value });
    } catch (error) {
      reply({
        id: question.id,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
  });
  process.once('disconnect', () => process.exit());
}

function reply(answer: Answer): void {
  if (process.connected) process.send?.(answer);
}
