/**
 * Deadlines of commands that all have the same time to be answered.
 *
 * One timer for all commands, set again about once in `timeoutMs`: thousands of commands a second cost no timers.
 *
 * An answer that lies in our own socket is in time. When the timer fires, the loop's poll phase has its turn first;
 * and when it fires late, because our own event loop was blocked, the commands are granted as much time again, once each
 * and `timeoutMs` at most.
 *
 * @param monotonic milliseconds
 */
export function createCommandDeadlines(timeoutMs: number, monotonic: () => number) {
  let pending: TimedCommand[] = [];
  let watching = false;

  function watch(until: number): void {
    watching = true;
    setTimeout(
      () => {
        const firedAt = monotonic();
        // After the poll phase: what had arrived when the timer fired has been read.
        setImmediate(() => look(until, firedAt));
      },
      Math.max(0, until - monotonic()),
    );
  }

  /** Judges what was due when the timer fired. What fell due since then was not read by a poll phase yet. */
  function look(until: number, firedAt: number): void {
    const now = monotonic();
    const graceMs = Math.min(now - until, timeoutMs);
    const tooLate: TimedCommand[] = [];
    const inTime: TimedCommand[] = [];
    let nextDue = Number.POSITIVE_INFINITY;
    for (const command of pending) {
      if (command.over) continue;
      if (command.dueAt <= firedAt && graceMs >= 1) command.grant(now + graceMs);
      const isLate = command.dueAt <= firedAt;
      (isLate ? tooLate : inTime).push(command);
      if (!isLate) nextDue = Math.min(nextDue, command.dueAt);
    }
    pending = inTime;
    watching = false;
    if (inTime.length > 0) watch(nextDue);
    for (const command of tooLate) if (command.settle()) command.onLate();
  }

  return {
    /** @param onLate called when the time is over and `settle` was not called */
    start(onLate: () => void): TimedCommand {
      const command = new TimedCommand(monotonic() + timeoutMs, onLate);
      pending.push(command);
      if (!watching) watch(command.dueAt);
      return command;
    },
  };
}

/** A command without an answer so far. */
class TimedCommand {
  /** Answered or too late. */
  over = false;
  private granted = false;

  constructor(
    public dueAt: number,
    readonly onLate: () => void,
  ) {}

  /** @returns whether the answer comes in time: true once, at the first call before the deadline */
  settle(): boolean {
    if (this.over) return false;
    this.over = true;
    return true;
  }

  /** More time, once. */
  grant(until: number): void {
    if (this.granted) return;
    this.granted = true;
    this.dueAt = until;
  }
}
