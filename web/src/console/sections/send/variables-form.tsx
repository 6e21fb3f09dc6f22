import { JsonInput, NumberInput, Select, SimpleGrid, Text, Textarea } from '@mantine/core';
import { useTexts } from './texts.js';
import type { VariableField } from './variables.js';

interface VariablesFormProps {
  readonly fields: readonly VariableField[];
  readonly typed: Readonly<Record<string, string>>;
  readonly onChange: (name: string, text: string) => void;
  readonly faultOf: (name: string) => string | undefined;
}

/** A field for each variable that the templates declare. */
export function VariablesForm({ fields, typed, onChange, faultOf }: VariablesFormProps) {
  const t = useTexts();
  if (fields.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('variables.none')}
      </Text>
    );
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      {fields.map((field) => (
        <VariableInput
          key={field.name}
          field={field}
          text={typed[field.name] ?? ''}
          onChange={(text) => onChange(field.name, text)}
          fault={faultOf(field.name)}
        />
      ))}
    </SimpleGrid>
  );
}

interface VariableInputProps {
  readonly field: VariableField;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly fault: string | undefined;
}

function VariableInput({ field, text, onChange, fault }: VariableInputProps) {
  const t = useTexts();
  const { name, type, isRequired, fallback } = field;
  const common = { label: name, required: isRequired, error: fault };
  const placeholder = fallback === undefined || fallback === '' ? undefined : placeholderOf(fallback);
  if (type === 'number')
    return (
      <NumberInput
        {...common}
        {...(placeholder !== undefined && { placeholder })}
        value={text}
        onChange={(value) => onChange(String(value))}
      />
    );
  if (type === 'boolean')
    return (
      <Select
        {...common}
        clearable
        {...(placeholder !== undefined && { placeholder })}
        data={[
          { value: 'true', label: t('variables.yes') },
          { value: 'false', label: t('variables.no') },
        ]}
        value={text || null}
        onChange={(value) => onChange(value ?? '')}
      />
    );
  if (type === 'list' || type === 'object')
    return (
      <JsonInput
        {...common}
        description={t(`variables.${type}`)}
        placeholder={placeholder ?? (type === 'list' ? '[]' : '{}')}
        autosize
        minRows={2}
        value={text}
        onChange={onChange}
      />
    );
  return (
    <Textarea
      {...common}
      {...(placeholder !== undefined && { placeholder })}
      autosize
      minRows={1}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

const placeholderOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
