import { ActionIcon, Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import type { UserFault } from '../../../common/ui/act.js';
import { faultAt } from '../../../common/ui/act.js';
import type { DraftVariable, TemplateDraft } from './draft.js';
import { useTexts } from './texts.js';

const TYPES = {
  PLAIN: ['string', 'number'],
  LIQUID: ['string', 'number', 'boolean', 'list', 'object'],
} as const;

interface VariableFieldsProps {
  readonly draft: TemplateDraft;
  readonly set: (changes: Partial<TemplateDraft>) => void;
  readonly faults: readonly UserFault[];
}

/** What producers pass: names with their types, and what stands where nothing was passed. */
export function VariableFields({ draft: { variables, syntax }, set, faults }: VariableFieldsProps) {
  const t = useTexts();
  const change = (at: number, changes: Partial<DraftVariable>) =>
    set({ variables: variables.map((one, index) => (index === at ? { ...one, ...changes } : one)) });
  const general = faults.find(({ path }) => path?.at(-1) === 'variables')?.message;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {t('variables.title')}
      </Text>
      {variables.map((variable, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a name changes with each letter that is typed
        <Group key={index} gap="xs" align="flex-end" wrap="wrap">
          <TextInput
            label={t('variables.name')}
            w={160}
            value={variable.name}
            error={variable.name !== '' && faultAt(faults, variable.name)}
            onChange={(event) => change(index, { name: event.currentTarget.value.trim() })}
          />
          <NativeSelect
            label={t('variables.type')}
            w={110}
            data={[...TYPES[syntax]]}
            value={variable.type}
            onChange={(event) => change(index, { type: event.currentTarget.value })}
          />
          <TextInput
            label={t('variables.default')}
            w={150}
            disabled={variable.required}
            value={variable.required ? '' : variable.default}
            onChange={(event) => change(index, { default: event.currentTarget.value })}
          />
          <Checkbox
            label={t('variables.required')}
            mb={8}
            checked={variable.required}
            onChange={(event) => change(index, { required: event.currentTarget.checked, default: '' })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            mb={4}
            aria-label={t('variables.remove', { name: variable.name })}
            onClick={() => set({ variables: variables.filter((_, at) => at !== index) })}
          >
            <X size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {general && (
        <Text size="sm" c="red">
          {general}
        </Text>
      )}
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() =>
            set({ variables: [...variables, { name: '', type: 'string', required: true, default: '' }] })
          }
        >
          {t('variables.add')}
        </Button>
      </div>
    </Stack>
  );
}
