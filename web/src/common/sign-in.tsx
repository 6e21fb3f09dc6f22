import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, Suspense, useState } from 'react';
import { useCommonTexts } from './i18n.js';
import { read, signIn } from './session.js';
import { useWebConfig } from './web-config.js';

/** A token is pasted, or one of the demo's people chosen where there are any. */
export function SignInForm({ onDone }: { readonly onDone?: () => void }) {
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

/** One click signs in as one of them. Nothing outside of the demo. */
export function DemoPeople({ onDone }: { readonly onDone?: () => void }) {
  const t = useCommonTexts();
  const { demoTokens } = useWebConfig();
  if (demoTokens.length === 0) return null;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {t('signIn.demo')}
      </Text>
      <Group gap="xs">
        {demoTokens.map(({ userId, role, token }) => (
          <Button
            key={userId}
            variant="default"
            onClick={() => {
              signIn(token);
              onDone?.();
            }}
          >
            {t('signIn.as', { user: userId })} ({t(`role.${role}`)})
          </Button>
        ))}
      </Group>
    </Stack>
  );
}
