import { Button, Group, Stack, TextInput } from '@mantine/core';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../../common/session.js';
import { useAct } from '../../../common/ui/act.js';
import type { ActiveTemplate } from '../../active-templates.js';
import { testMutation } from './documents.js';
import { Outcome, type SendOutcome } from './outcome.js';
import { useTexts } from './texts.js';

interface TestSendProps {
  readonly template: ActiveTemplate;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Sends exactly this version to one person: oneself, unless another is named. */
export function TestSend({ template: { templateId, channel }, variables }: TestSendProps) {
  const t = useTexts();
  const [userId, setUserId] = useState(useSession()?.userId ?? '');
  const [outcome, setOutcome] = useState<SendOutcome | null>(null);
  const { act, isRunning, faultAt } = useAct(testMutation, { done: t('test.done') });
  return (
    <Stack gap="xs">
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          setOutcome(null);
          const answer = await act({ input: { templateId, channel, userId, variables: { ...variables } } });
          if (answer.ok) setOutcome(answer.data.sendTestNotification);
        }}
      >
        <Group align="flex-end" gap="xs">
          <TextInput
            label={t('test.to')}
            required
            w={180}
            value={userId}
            error={faultAt('userId')}
            onChange={(event) => setUserId(event.currentTarget.value)}
          />
          <Button
            type="submit"
            variant="default"
            loading={isRunning}
            leftSection={<FlaskConical size={14} aria-hidden />}
          >
            {t('test.button')}
          </Button>
        </Group>
      </form>
      {outcome && <Outcome outcome={outcome} />}
    </Stack>
  );
}
