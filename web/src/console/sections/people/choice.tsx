import { Chip, Group } from '@mantine/core';

interface ChoiceProps<T extends string> {
  /** What is chosen, for those who hear it. */
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
}

/** One of few: they wrap where the page is narrow. */
export function Choice<T extends string>({ label, value, options, onChange }: ChoiceProps<T>) {
  return (
    <Chip.Group value={value} onChange={(chosen) => onChange(chosen as T)}>
      <Group gap="xs" role="radiogroup" aria-label={label}>
        {options.map((option) => (
          <Chip key={option.value} value={option.value} size="sm" variant="outline">
            {option.label}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
}
