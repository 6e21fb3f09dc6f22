/**
 * Answers each event of a source, in order. Ending it (`return`) settles a `next` that is still waiting for an
 * event, whatever the source does; a source that fails gives one last answer and then ends.
 */
export function eventAnswers<Answer>(
  source: AsyncIterator<unknown>,
  on: { answer: (event: unknown) => Promise<Answer>; failed: (error: unknown) => Answer },
): AsyncIterableIterator<Answer> {
  let ended = false;
  let endWaiting: (() => void) | undefined;
  const end: IteratorReturnResult<undefined> = { done: true, value: undefined };

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next() {
      if (ended) return Promise.resolve(end);
      return new Promise((resolve) => {
        endWaiting = () => resolve(end);
        answerNext().then(resolve);
      });
    },
    return: () => finish(),
    throw: () => finish(),
  };

  async function answerNext(): Promise<IteratorResult<Answer, undefined>> {
    try {
      const event = await source.next();
      if (!event.done && !ended) return { done: false, value: await on.answer(event.value) };
      ended = true;
      return end;
    } catch (error) {
      if (ended) return end;
      ended = true;
      return { done: false, value: on.failed(error) };
    }
  }

  async function finish(): Promise<IteratorResult<Answer, undefined>> {
    if (ended) return end;
    ended = true;
    endWaiting?.();
    // An async generator that waits inside `next` only returns once that settles: nobody may wait for it here.
    source.return?.().catch(() => undefined);
    return end;
  }
}
