import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ActiveTemplate } from '../../../active-templates.js';
import { useTexts } from '../texts.js';
import type { CampaignDraft } from './draft.js';

interface DeclaredVariable {
  readonly type: string;
  readonly required?: boolean;
  readonly default?: unknown;
}

/** What producers pass for a template, by name. */
export const declaredBy = ({ variables }: ActiveTemplate): readonly (readonly [string, DeclaredVariable])[] =>
  Object.entries(variables as Readonly<Record<string, DeclaredVariable>>);

interface FieldsProps {
  readonly draft: CampaignDraft;
  readonly set: (changes: Partial<CampaignDraft>) => void;
  readonly faultAt: (field: string) => string | undefined;
}

export function TemplateField({
  draft,
  set,
  faultAt,
  templates,
}: FieldsProps & { readonly templates: readonly ActiveTemplate[] }) {
  const t = useTexts();
  return (
    <Select
      label={t('new.template')}
      description={t('new.templateHelp')}
      required
      error={faultAt('templateId')}
      searchable
      limit={100}
      nothingFoundMessage={t('new.noTemplate')}
      placeholder={t('new.choose')}
      data={[...new Set(templates.map(({ templateId }) => templateId))]}
      value={draft.templateId || null}
      onChange={(templateId) => set({ templateId: templateId ?? '' })}
    />
  );
}

/** A field for each variable that the template declares. */
export function VariableFields({
  draft,
  set,
  faultAt,
  chosen,
}: FieldsProps & { readonly chosen: ActiveTemplate | undefined }) {
  const t = useTexts();
  const change = (name: string, value: string) => set({ variables: { ...draft.variables, [name]: value } });
  if (!chosen) return <FreeVariables draft={draft} set={set} faultAt={faultAt} />;
  const declared = declaredBy(chosen);
  if (declared.length === 0) return null;
  return (
    <Stack gap="sm">
      <Text size="sm" fw={600}>
        {t('new.variables')}
      </Text>
      {declared.map(([name, { type, required, default: byDefault }]) => (
        <TextInput
          key={name}
          label={name}
          description={type === 'string' ? undefined : t('new.variableType', { type })}
          placeholder={byDefault === undefined ? '' : String(byDefault)}
          required={Boolean(required)}
          error={faultAt(name)}
          value={draft.variables[name] ?? ''}
          onChange={(event) => change(name, event.currentTarget.value)}
        />
      ))}
      {faultAt('variables') && declared.every(([name]) => !faultAt(name)) && (
        <Text size="sm" c="red">
          {faultAt('variables')}
        </Text>
      )}
    </Stack>
  );
}

/** Where it is not known what the template declares: names and values by hand. */
function FreeVariables({ draft, set, faultAt }: FieldsProps) {
  const t = useTexts();
  const [name, setName] = useState('');
  return (
    <Stack gap="sm">
      <Text size="sm" fw={600}>
        {t('new.variables')}
      </Text>
      {Object.entries(draft.variables).map(([key, value]) => (
        <TextInput
          key={key}
          label={key}
          value={value}
          error={faultAt(key)}
          onChange={(event) => set({ variables: { ...draft.variables, [key]: event.currentTarget.value } })}
        />
      ))}
      <Group align="flex-end" gap="xs">
        <TextInput
          label={t('new.variableName')}
          value={name}
          error={Object.keys(draft.variables).length === 0 && faultAt('variables')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button
          variant="default"
          disabled={!/^\w+$/.test(name) || name in draft.variables}
          onClick={() => {
            set({ variables: { ...draft.variables, [name]: '' } });
            setName('');
          }}
        >
          {t('new.addVariable')}
        </Button>
      </Group>
    </Stack>
  );
}
