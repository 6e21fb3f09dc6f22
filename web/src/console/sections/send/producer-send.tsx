import { Autocomplete, JsonInput, SimpleGrid, TextInput } from '@mantine/core';
import { useFilters } from '../../../common/ui/filters.js';
import { knownTypes } from '../notifications/words.js';
import { Composer } from './composer.js';
import { useDraft } from './draft.js';
import { useTexts } from './texts.js';

/** Where the text of all variables is kept: there is no declaration to make fields of. */
const ALL = '*';

/** For producers, who may send but not read templates: they name the template, and write its variables out. */
export function ProducerSend() {
  const t = useTexts();
  const state = useDraft();
  const [{ type }, set] = useFilters({ type: '' });
  const text = state.draft.typed[ALL] ?? '';
  const variables = read(text);
  return (
    <Composer
      state={state}
      type={type}
      variables={variables ?? {}}
      isReady={variables !== null && type !== ''}
      picker={(faultOf) => (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Autocomplete
            label={t('template.type')}
            required
            data={knownTypes}
            value={type}
            error={faultOf('type')}
            onChange={(next) => set({ type: next })}
          />
          <TextInput
            label={t('template.id')}
            required
            value={state.template}
            error={faultOf('templateId')}
            onChange={(event) => state.setTemplate(event.currentTarget.value)}
          />
        </SimpleGrid>
      )}
      form={() => (
        <JsonInput
          label={t('variables.title')}
          description={t('variables.json')}
          placeholder={'{ "order_id": "123" }'}
          autosize
          minRows={4}
          value={text}
          error={variables === null ? t('variables.faulty') : undefined}
          onChange={(next) => state.change({ typed: { ...state.draft.typed, [ALL]: next } })}
        />
      )}
    />
  );
}

/** Null where it is no JSON object. */
function read(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
