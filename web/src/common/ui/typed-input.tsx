import { TextInput, type TextInputProps } from '@mantine/core';
import { localTime } from './local-time.js';
import { useTyped } from './typed.js';

interface TypedInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string;
  /** Called when the typing pauses. */
  readonly onChange: (value: string) => void;
}

/** A field whose value is kept in the URL. */
export function TypedInput({ value, onChange, ...props }: TypedInputProps) {
  const [text, type, settle] = useTyped(value, onChange);
  return (
    <TextInput
      {...props}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={settle}
      onKeyDown={({ key }) => key === 'Enter' && settle()}
    />
  );
}

/** A moment in the viewer's zone; its value is ISO 8601 in UTC, or empty. */
export function MomentInput({ value, onChange, ...props }: TypedInputProps) {
  return (
    <TypedInput
      {...props}
      type="datetime-local"
      value={localTime(value)}
      onChange={(local) => {
        const date = new Date(local);
        onChange(Number.isNaN(date.getTime()) ? '' : date.toISOString());
      }}
    />
  );
}
