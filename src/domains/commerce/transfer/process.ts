import { ok } from '../../../platform/errors.js';
import { load } from '../../../platform/event-log/aggregate.js';
import { appendDecided } from '../../../platform/event-log/execute.js';
import type { EventLog, EventMetadata } from '../../../platform/event-log/index.js';
import { accountAggregate } from '../account/aggregate.js';
import { accountStream } from '../account/events.js';
import type { CommandDeps } from '../command.js';
import { commerceProjections } from '../inline-projections.js';
import { readTransferEvent, type TransferEvent, transferStream } from './events.js';
import { evolve, type StartedTransfer, unknownTransfer } from './state.js';
import { decideStep, nextStep, type Step } from './steps.js';

/**
 * Drives a transfer to its end. Safe to be called again at any time, and by several at once: a step appends its
 * account's event and the transfer's together, at the versions it saw, under a command id of its own.
 *
 * @throws where a step lost against others too often (see `appendDecided`), the transfer being as it was then; where
 * there is no such transfer
 */
export async function advanceTransfer(deps: CommandDeps, transferId: string): Promise<void> {
  for (;;) {
    const { state, startedBy } = await loadTransfer(deps.log, transferId);
    const target = await load(deps.log, accountAggregate, accountStream(state.facts.toAccountId));
    const step = nextStep(state, target.state);
    if (!step) return;
    await take(deps, transferId, step, startedBy);
  }
}

/** Takes a step, unless it turns out not to be due: then the loop looks again. */
async function take(
  deps: CommandDeps,
  transferId: string,
  step: Step,
  startedBy: EventMetadata,
): Promise<void> {
  const [streamId, commandId] = [accountStream(step.accountId), `transfer/${transferId}/${step.kind}`];
  const taken = await deps.inTurn(streamId, () =>
    appendDecided(deps, {
      commandId,
      body: { transferId, step: step.kind },
      // The correlation id and the user are the transfer's; the cause, as with every event, is the command that wrote it.
      metadata: { ...startedBy, causationId: commandId },
      value: {},
      async decide() {
        const [transfer, account] = await Promise.all([
          loadTransfer(deps.log, transferId),
          load(deps.log, accountAggregate, streamId),
        ]);
        const decision = decideStep(step, transfer.state, account.state);
        if (!decision.ok) return decision;
        const events = decision.value;
        const onTransfer = {
          streamId: transferStream(transferId),
          expected: transfer.version,
          events: [events.transfer],
        };
        const { life } = account;
        if (events.account.length === 0)
          return ok({ appends: [onTransfer], life, ...ending(events.transfer) });
        return ok({
          life,
          appends: [{ streamId, expected: account.version, events: events.account }, onTransfer],
          ...ending(events.transfer),
          afterwards: () => account.after(events.account).keepSnapshot(),
        });
      },
    }),
  );
  if (taken.ok) return;
  const { code, message } = taken.errors[0]!;
  if (code !== 'STEP_NOT_DUE') throw new Error(`${step.kind} of transfer ${transferId}: ${code}: ${message}`);
}

/** Whatever follows the debit and is no debit ends the transfer. */
const ending = ({ type, data: { transferId } }: TransferEvent) =>
  type === 'TransferDebited'
    ? {}
    : { inlineProjection: commerceProjections.call('finish_transfer', { transferId }) };

/** Never more than three events long: no snapshots. */
async function loadTransfer(
  log: Pick<EventLog, 'readStream'>,
  transferId: string,
): Promise<{ state: StartedTransfer; version: number; startedBy: EventMetadata }> {
  const events = await log.readStream(transferStream(transferId));
  const state = events.map(readTransferEvent).reduce(evolve, unknownTransfer);
  if (state.status === 'UNKNOWN') throw new Error(`there is no transfer ${transferId}`);
  return { state, version: events.length - 1, startedBy: events[0]!.metadata };
}
