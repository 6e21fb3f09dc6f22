import { Button, Stack, Text } from '@mantine/core';
import { useCommonTexts } from '../../common/i18n.js';
import { usePages } from '../../common/ui/pages.js';
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
  readonly pages: {
    readonly nodes: readonly ReaderPersonFragment[];
    readonly data: unknown;
    readonly error?: unknown;
    readonly hasMore: boolean;
    readonly loadMore: () => void;
  };
  readonly undo: string;
  readonly act: (person: ReaderPersonFragment) => void;
}

function People({ pages: { nodes, data, error, hasMore, loadMore }, undo, act }: PeopleProps) {
  const t = useReaderTexts();
  const c = useCommonTexts();
  if (error) return <Failure error={error} />;
  if (data === undefined) return <Loading rows={2} />;
  if (nodes.length === 0) return <Text c="dimmed">{t('settings.people.nobody')}</Text>;
  return (
    <Stack gap="sm">
      {nodes.map((person) => (
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
      {hasMore && (
        <Button variant="subtle" onClick={loadMore}>
          {c('state.more')}
        </Button>
      )}
    </Stack>
  );
}
