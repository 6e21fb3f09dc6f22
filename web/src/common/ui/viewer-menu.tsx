import { Button, type ButtonProps } from '@mantine/core';
import { UserRound } from 'lucide-react';
import { type ComponentPropsWithRef } from 'react';
import { useCommonTexts } from '../i18n.js';
import { useSession } from '../session.js';
import { loadedLater } from './loaded-later.js';
import { OpensLater } from './opens-later.js';

const ViewerChoices = loadedLater(() => import('./viewer-choices.js'));

/** Who is signed in; the menu has the color scheme and the language. */
export function ViewerMenu() {
  return (
    <OpensLater kind="menu" button={<ViewerButton />}>
      <ViewerChoices />
    </OpensLater>
  );
}

export function ViewerButton(props: ButtonProps & ComponentPropsWithRef<'button'>) {
  const t = useCommonTexts();
  const session = useSession();
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<UserRound size={14} aria-hidden />}
      maw={160}
      {...props}
    >
      {session?.userId || t('settings')}
    </Button>
  );
}
