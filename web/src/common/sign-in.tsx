import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { type FormEvent, Suspense, useState } from 'react';
import { DemoPeople } from './demo-people.js';
import { useCommonTexts } from './i18n.js';
import { read, signIn } from './session.js';

/** A token is pasted, or one of the demo's people chosen where there are any. */
export default function SignInForm({ onDone }: { readonly onDone?: () => void }) {
  const t = useCommonTexts();
  const [text, setText] = useState('');
  const [isMalformed, setMalformed] = useState(false);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (read(text) === undefined) {
      setMalformed(true);
      return;
    }
    signIn(text);
    onDone?.();
  }

  return (
    <Stack>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <PasswordInput
            label={t('signIn.token')}
            description={t('signIn.tokenHelp')}
            value={text}
            autoComplete="off"
            error={isMalformed && t('signIn.malformed')}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setMalformed(false);
            }}
          />
          <Group justify="flex-end">
            <Button type="submit">{t('signIn.submit')}</Button>
          </Group>
        </Stack>
      </form>
      <Suspense>
        <DemoPeople {...(onDone && { onDone })} />
      </Suspense>
    </Stack>
  );
}
