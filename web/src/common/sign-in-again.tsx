import { Alert, Button, Stack } from '@mantine/core';
import { useCommonTexts } from './i18n.js';
import { signOut } from './session.js';
import SignInForm from './sign-in.js';
import { Dialog } from './ui/dialog.js';

/** Over the page that is open, which stays as it is, where the server does not take the token any more. */
export default function SignInAgain() {
  const t = useCommonTexts();
  return (
    <Dialog title={t('signIn.title')}>
      <Stack>
        <Alert color="yellow">{t('signIn.expired')}</Alert>
        <SignInForm />
        <Button variant="subtle" color="gray" onClick={signOut}>
          {t('signIn.out')}
        </Button>
      </Stack>
    </Dialog>
  );
}
