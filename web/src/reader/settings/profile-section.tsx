import { Button, FileButton, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useErrorText } from '../../common/errors.js';
import { useCommonTexts } from '../../common/i18n.js';
import { useAct } from '../../common/ui/act.js';
import { Loading } from '../../common/ui/states.js';
import type { ReaderPersonFragment } from '../../generated/graphql.js';
import { Avatar } from '../people/avatar.js';
import { useViewer } from '../post/add-comment.js';
import { useReaderTexts } from '../texts.js';
import { NotProcessed, uploadPicture } from './profile-picture.js';
import { SaveProfile } from './queries.js';
import { Section } from './section.js';

export function ProfileSection() {
  const t = useReaderTexts();
  const viewer = useViewer();
  return (
    <Section title={t('settings.profile.heading')} about={t('settings.profile.about')}>
      {viewer ? <ProfileForm key={viewer.id} viewer={viewer} /> : <Loading rows={3} />}
    </Section>
  );
}

function ProfileForm({ viewer }: { readonly viewer: ReaderPersonFragment }) {
  const t = useReaderTexts();
  const c = useCommonTexts();
  const errorText = useErrorText();
  const [displayName, setName] = useState(viewer.displayName);
  const [avatarUrl, setAvatar] = useState(viewer.avatarUrl ?? '');
  const [fault, setFault] = useState('');
  const [isUploading, setUploading] = useState(false);
  const { act, isRunning, faultAt } = useAct(SaveProfile, { done: t('settings.saved') });

  function submit(event: FormEvent): void {
    event.preventDefault();
    void act({ input: { displayName, avatarUrl: avatarUrl.trim() || null } });
  }
  async function choose(file: File | null): Promise<void> {
    if (!file) return;
    setUploading(true);
    setFault('');
    try {
      setAvatar(await uploadPicture(file));
    } catch (error) {
      setFault(
        error instanceof NotProcessed ? t('media.failed') : errorText(error).message || c('error.NETWORK'),
      );
    } finally {
      setUploading(false);
    }
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Group>
          <Avatar person={{ ...viewer, displayName, avatarUrl }} size={72} />
          <FileButton accept="image/*" onChange={(file) => void choose(file)}>
            {(props) => (
              <Button {...props} variant="default" size="xs" loading={isUploading}>
                {t('settings.profile.choose')}
              </Button>
            )}
          </FileButton>
          {avatarUrl && (
            <Button variant="subtle" size="xs" onClick={() => setAvatar('')}>
              {t('settings.profile.removePicture')}
            </Button>
          )}
        </Group>
        <TextInput
          label={t('settings.profile.name')}
          autoComplete="name"
          required
          value={displayName}
          error={faultAt('displayName')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label={t('settings.profile.picture')}
          type="url"
          value={avatarUrl}
          error={fault || faultAt('avatarUrl')}
          onChange={(event) => setAvatar(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isRunning} disabled={!displayName.trim()}>
            {c('act.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
