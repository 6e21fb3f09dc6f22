import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { graphql } from '../../../common/graphql.js';
import { useCommonTexts } from '../../../common/i18n.js';
import { useAct } from '../../../common/ui/act.js';
import { Dialog } from '../../../common/ui/dialog.js';
import type { Role } from '../../../generated/graphql.js';
import { ShownOnce } from '../../shown-once.js';
import { useTexts } from './texts.js';

const createDocument = graphql(/* GraphQL */ `
  mutation ApiKeyCreate($input: CreateApiKeyInput!) {
    createApiKey(input: $input) {
      key
      apiKey {
        ...ApiKeyRow
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const ROLES = ['USER', 'PRODUCER', 'ADMIN'] as const satisfies readonly Role[];

interface CreateDialogProps {
  /** Whom it acts for, where the list shows the keys of one user. */
  readonly userId: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Makes a key and shows it once. */
export function CreateDialog({ userId, onClose, onDone }: CreateDialogProps) {
  const t = useTexts();
  const c = useCommonTexts();
  const [key, setKey] = useState<string>();
  const { act, isRunning, faultAt } = useAct(createDocument, { done: t('createDone') });
  const form = useForm({ initialValues: { name: '', userId, plan: 'free', roles: ['USER'] } });
  async function create(values: typeof form.values): Promise<void> {
    const input = {
      userId: values.userId.trim(),
      plan: values.plan.trim(),
      roles: ROLES.filter((role) => values.roles.includes(role)),
      name: values.name.trim() || null,
    };
    const outcome = await act({ input });
    if (!outcome.ok) return;
    setKey(outcome.data.createApiKey.key ?? undefined);
    onDone();
  }
  return (
    <Dialog
      onClose={isRunning ? undefined : onClose}
      title={t(key ? 'createdTitle' : 'createTitle')}
      isKept={Boolean(key)}
    >
      {key ? (
        <ShownOnce label={t('key')} secret={key} about={t('keyAbout')} onClose={onClose} />
      ) : (
        <form onSubmit={form.onSubmit((values) => void create(values))}>
          <Stack>
            <TextInput
              label={t('name')}
              description={t('nameHelp')}
              maxLength={100}
              data-autofocus
              {...form.getInputProps('name')}
              error={faultAt('name')}
            />
            <TextInput
              label={t('user')}
              description={t('userHelp')}
              required
              {...form.getInputProps('userId')}
              error={faultAt('userId')}
            />
            <TextInput
              label={t('plan')}
              description={t('planHelp')}
              required
              maxLength={64}
              {...form.getInputProps('plan')}
              error={faultAt('plan')}
            />
            <Checkbox.Group label={t('roles')} {...form.getInputProps('roles')} error={faultAt('roles')}>
              <Stack gap={6} mt={6}>
                {ROLES.map((role) => (
                  <Checkbox
                    key={role}
                    value={role}
                    label={t(`role.${role}`)}
                    description={t(`roleHelp.${role}`)}
                  />
                ))}
              </Stack>
            </Checkbox.Group>
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose} disabled={isRunning}>
                {c('act.cancel')}
              </Button>
              <Button type="submit" loading={isRunning}>
                {t('create')}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}
