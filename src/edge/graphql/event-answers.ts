/** What becomes of events. */
interface On<Answer> {
  answer(event: unknown): Promise<Answer>;
  failed(error: unknown): Answer;
}

/**
 * Answers each event of a source, in order. Ending it (`return`) settles a `next` that is still waiting for an
 * event, whatever the source does; a source that fails gives one last answer and then ends.
 *
 * A class: there is one for each open subscription, and closures would take several times its memory.
 */
export class EventAnswers<Answer> implements AsyncIterableIterator<Answer, undefined> {
  private ended = false;
  private settle: ((answer: IteratorResult<Answer, undefined>) => void) | undefined = undefined;

  constructor(
    private readonly source: AsyncIterator<unknown>,
    private readonly on: On<Answer>,
  ) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Answer, undefined>> {
    if (this.ended) return Promise.resolve(END);
    return new Promise((resolve) => {
      this.settle = resolve;
      // Without `await`: what an async function keeps while it waits is as large as all else of an open subscription.
      this.source.next().then(
        (event) => this.answer(event).then(resolve),
        (error: unknown) => resolve(this.fail(error)),
      );
    });
  }

  return(): Promise<IteratorResult<Answer, undefined>> {
    return this.finish();
  }

  throw(): Promise<IteratorResult<Answer, undefined>> {
    return this.finish();
  }

  private async answer(event: IteratorResult<unknown>): Promise<IteratorResult<Answer, undefined>> {
    try {
      if (!event.done && !this.ended) return { done: false, value: await this.on.answer(event.value) };
      this.ended = true;
      return END;
    } catch (error) {
      return this.fail(error);
    }
  }

  private fail(error: unknown): IteratorResult<Answer, undefined> {
    if (this.ended) return END;
    this.ended = true;
    return { done: false, value: this.on.failed(error) };
  }

  private async finish(): Promise<IteratorResult<Answer, undefined>> {
    if (this.ended) return END;
    this.ended = true;
    this.settle?.(END);
    // An async generator that waits inside `next` only returns once that settles: nobody may wait for it here.
    this.source.return?.().catch(() => undefined);
    return END;
  }
}

const END: IteratorReturnResult<undefined> = { done: true, value: undefined };
