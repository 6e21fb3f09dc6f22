import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { graphql } from '../../../common/graphql.js';
import { useAct } from '../../../common/ui/act.js';
import { ConfirmDialog } from '../../../common/ui/confirm-dialog.js';
import type { PersonRowFragment } from '../../../generated/graphql.js';
import { useTexts } from './texts.js';

const verifyDocument = graphql(/* GraphQL */ `
  mutation PersonVerify($userId: ID!, $verified: Boolean!) {
    setVerified(input: { userId: $userId, verified: $verified }) {
      user {
        id
        isVerified
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

/** Gives or takes the verified mark, after a question: everybody sees it. */
export function VerifyButton({ user }: { readonly user: PersonRowFragment }) {
  const t = useTexts();
  const [isOpen, { open, close }] = useDisclosure();
  const kind = user.isVerified ? 'unverify' : 'verify';
  const name = user.displayName;
  const { act, isRunning } = useAct(verifyDocument, { done: t(`${kind}.done`, { name }) });
  async function confirm(): Promise<void> {
    const { ok } = await act({ userId: user.userId, verified: !user.isVerified });
    if (ok) close();
  }
  return (
    <>
      <Button variant="default" onClick={open}>
        {t(`${kind}.act`)}
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={t(`${kind}.title`, { name })}
          text={t(`${kind}.about`)}
          confirm={t(`${kind}.act`)}
          isRunning={isRunning}
          onClose={close}
          onConfirm={confirm}
        />
      )}
    </>
  );
}
