import { useQuery } from '@apollo/client/react';
import { Button, Group, Pill, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { client } from '../../common/client.js';
import { useAct } from '../../common/ui/act.js';
import { Empty, Loaded } from '../../common/ui/states.js';
import { feedChanged } from '../feed/live-feed.js';
import { useReaderTexts } from '../texts.js';
import { MutedWords, SetMutedWords } from './queries.js';
import { Section } from './section.js';

export function MutedWordsSection() {
  const t = useReaderTexts();
  const query = useQuery(MutedWords);
  return (
    <Section title={t('settings.words.heading')} about={t('settings.words.about')}>
      <Loaded query={query}>{({ mutedKeywords }) => <Words words={mutedKeywords ?? []} />}</Loaded>
    </Section>
  );
}

function Words({ words }: { readonly words: readonly string[] }) {
  const t = useReaderTexts();
  const [text, setText] = useState('');
  const { act, isRunning, faults } = useAct(SetMutedWords);

  async function save(keywords: string[]): Promise<boolean> {
    const outcome = await act({ keywords });
    if (!outcome.ok) return false;
    feedChanged();
    const { keywords: mutedKeywords } = outcome.data.setMutedKeywords;
    client.writeQuery({ query: MutedWords, data: { __typename: 'Query', mutedKeywords } as never });
    return true;
  }
  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    const word = text.trim();
    if (!word || words.includes(word)) return;
    if (await save([...words, word])) setText('');
  }

  return (
    <>
      <form onSubmit={(event) => void add(event)}>
        <Group align="flex-end" gap="xs" wrap="nowrap">
          <TextInput
            flex={1}
            label={t('settings.words.word')}
            value={text}
            error={faults[0]?.message}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Button type="submit" loading={isRunning} disabled={!text.trim()}>
            {t('settings.words.add')}
          </Button>
        </Group>
      </form>
      {words.length === 0 ? (
        <Empty title={t('settings.words.empty')} />
      ) : (
        <Group gap="xs">
          {words.map((word) => (
            <Pill
              key={word}
              size="lg"
              withRemoveButton
              removeButtonProps={{
                'aria-label': t('settings.words.remove', { word }),
                'aria-hidden': false,
                tabIndex: 0,
                // The list is set as a whole: the next one has to be made of what comes back.
                disabled: isRunning,
              }}
              onRemove={() => void save(words.filter((one) => one !== word))}
            >
              {word}
            </Pill>
          ))}
        </Group>
      )}
    </>
  );
}
