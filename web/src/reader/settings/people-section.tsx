import { Button, Stack, Text } from '@mantine/core';
import { MoreButton } from '../../common/ui/more-button.js';
import { type ListState, usePages } from '../../common/ui/pages.js';
import { Failure, Loading } from '../../common/ui/states.js';
import type { ReaderPersonFragment } from '../../generated/graphql.js';
import { useBlock, useMute } from '../people/mute-block.js';
import { PersonLine } from '../people/person-line.js';
import { useReaderTexts } from '../texts.js';
import { BlockedPeople, MutedPeople } from './queries.js';
import { Section } from './section.js';

export function PeopleSection() {
  const t = useReaderTexts();
  const mute = useMute();
  const block = useBlock();
  const muted = usePages(MutedPeople, {}, ({ mutedUsers }) => mutedUsers);
  const blocked = usePages(BlockedPeople, {}, ({ blockedUsers }) => blockedUsers);
  return (
    <>
      <Section title={t('settings.people.muted')} about={t('settings.people.mutedAbout')}>
        <People pages={muted} undo={t('person.unmute')} act={(person) => void mute(person)} />
      </Section>
      <Section title={t('settings.people.blocked')} about={t('settings.people.blockedAbout')}>
        <People pages={blocked} undo={t('person.unblock')} act={(person) => void block(person)} />
      </Section>
    </>
  );
}

interface PeopleProps {
  readonly pages: { readonly list: ListState<ReaderPersonFragment> };
  readonly undo: string;
  readonly act: (person: ReaderPersonFragment) => void;
}

function People({ pages: { list }, undo, act }: PeopleProps) {
  const { rows, isLoaded, error, retry } = list;
  const t = useReaderTexts();
  if (error) return <Failure error={error} retry={retry} />;
  if (!isLoaded) return <Loading rows={2} />;
  if (rows.length === 0) return <Text c="dimmed">{t('settings.people.nobody')}</Text>;
  return (
    <Stack gap="sm">
      {rows.map((person) => (
        <PersonLine key={person.id} person={person}>
          <Button
            size="xs"
            variant="default"
            radius="xl"
            style={{ flex: 'none' }}
            onClick={() => act(person)}
          >
            {undo}
          </Button>
        </PersonLine>
      ))}
      <MoreButton list={list} />
    </Stack>
  );
}
