import { Checkbox, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import type { UserFault } from '../../../common/ui/act.js';
import { faultAt } from '../../../common/ui/act.js';
import { CodeEditor } from '../../../common/ui/code-editor.js';
import { faultsIn } from '../../fault-places.js';
import type { TemplateDraft } from './draft.js';
import { completeLiquid } from './liquid-words.js';
import { useTexts } from './texts.js';
import { type TextField, textsOf } from './words.js';

interface TextFieldsProps {
  readonly draft: TemplateDraft;
  readonly set: (changes: Partial<TemplateDraft>) => void;
  readonly faults: readonly UserFault[];
}

const isLong = (field: TextField): boolean => field === 'body' || field === 'htmlBody';

/** The texts of a template, as many as its channel has, each with its faults at their place. */
export function TextFields({ draft, set, faults }: TextFieldsProps) {
  const t = useTexts();
  const { channel, texts, syntax } = draft;
  const change = (field: TextField, text: string) => set({ texts: { ...texts, [field]: text } });
  const names = draft.variables.map(({ name }) => name);
  return (
    <Stack>
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed" maw={420}>
          {t(`syntaxHelp.${syntax}`)}
        </Text>
        <SegmentedControl
          aria-label={t('field.syntax')}
          size="xs"
          value={syntax}
          onChange={(next) => set({ syntax: next as TemplateDraft['syntax'] })}
          data={[
            { value: 'LIQUID', label: 'Liquid' },
            { value: 'PLAIN', label: t('field.plain') },
          ]}
        />
      </Group>
      {textsOf(channel).map((field) => {
        const own = faults.filter(({ path }) => path?.includes(field));
        const label = field === 'body' && channel === 'EMAIL' ? t('field.textBody') : t(`field.${field}`);
        return isLong(field) ? (
          <CodeEditor
            key={`${field} ${syntax}`}
            label={label}
            language={syntax === 'LIQUID' || field === 'htmlBody' ? 'liquid' : 'text'}
            minHeight={field === 'htmlBody' ? '14rem' : '5rem'}
            value={texts[field]}
            onChange={(text) => change(field, text)}
            complete={(context) => completeLiquid(context, { names, isLiquid: syntax === 'LIQUID' })}
            faults={faultsIn(own)}
            error={own.map(({ message }) => message).join(' ') || undefined}
          />
        ) : (
          <TextInput
            key={field}
            label={label}
            value={texts[field]}
            error={faultAt(own, field)}
            onChange={(event) => change(field, event.currentTarget.value)}
          />
        );
      })}
      {channel === 'PUSH' && (
        <Group>
          <Checkbox
            label={t('field.contentAvailable')}
            checked={draft.contentAvailable}
            onChange={(event) => set({ contentAvailable: event.currentTarget.checked })}
          />
          <Checkbox
            label={t('field.voip')}
            checked={draft.voip}
            onChange={(event) => set({ voip: event.currentTarget.checked })}
          />
        </Group>
      )}
    </Stack>
  );
}
