import type { Reporter, TestCase } from 'vitest/node';

/** Names at the end of a run what passed only when it was tried again, with why it failed at first. */
export default class FlakyReporter implements Reporter {
  private readonly flaky: TestCase[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.flaky.push(test);
  }

  onTestRunEnd(): void {
    for (const test of this.flaky) {
      const causes = (test.result().errors ?? []).map(({ stack, message }) => stack ?? message);
      process.stdout.write(
        `flaky: ${test.module.relativeModuleId} > ${test.fullName}\n${causes.join('\n')}\n`,
      );
    }
    if (this.flaky.length > 0) process.stdout.write(`${this.flaky.length} flaky\n`);
  }
}
