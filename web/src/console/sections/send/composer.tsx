import { Accordion, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct } from '../../../common/ui/act.js';
import { sendMutation } from './documents.js';
import { type DraftState, inputOf } from './draft.js';
import { Options } from './options.js';
import { Outcome, type SendOutcome } from './outcome.js';
import { RealSend } from './real-send.js';
import { Recipients } from './recipients.js';
import { useTexts } from './texts.js';

interface ComposerProps {
  readonly state: DraftState;
  /** The type that is sent; empty: none is chosen. */
  readonly type: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Whether what was typed can be sent, as far as it is known here. */
  readonly isReady: boolean;
  readonly picker: (faultOf: (field: string) => string | undefined) => ReactNode;
  readonly form: (faultOf: (name: string) => string | undefined) => ReactNode;
}

/** From the template to the send; the faults that the API finds stand at their fields. */
export function Composer({ state, type, variables, isReady, picker, form }: ComposerProps) {
  const t = useTexts();
  const { draft, change, template, recipients, setRecipients, renew } = state;
  const [outcome, setOutcome] = useState<SendOutcome | null>(null);
  const { act, isRunning, faults } = useAct(sendMutation, { done: t('send.done') });
  const inVariables = (path?: readonly string[] | null): boolean => path?.includes('variables') ?? false;
  const faultOf = (field: string) =>
    faults.find(({ path }) => path?.includes(field) && !inVariables(path))?.message;
  const variableFault = (name: string) =>
    faults.find(({ path }) => inVariables(path) && path?.at(-1) === name)?.message;

  async function send(): Promise<void> {
    setOutcome(null);
    const answer = await act({ input: inputOf(draft, template, type, recipients, variables) });
    if (!answer.ok) return;
    setOutcome(answer.data.sendNotification);
    renew();
  }

  return (
    <Stack gap="lg">
      {picker((field) => faultOf(field))}
      <Recipients value={recipients} onChange={setRecipients} error={faultOf('recipients')} />
      {form(variableFault)}
      <Accordion variant="contained">
        <Accordion.Item value="options">
          <Accordion.Control>{t('options.title')}</Accordion.Control>
          <Accordion.Panel>
            <Options draft={draft} change={change} faultOf={faultOf} />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
      <RealSend
        type={type}
        recipients={recipients}
        isLater={draft.scheduleAt !== ''}
        isReady={isReady && template !== '' && recipients.length > 0}
        isRunning={isRunning}
        onSend={send}
      />
      {outcome && <Outcome outcome={outcome} />}
    </Stack>
  );
}
