import { Input, Skeleton } from '@mantine/core';
import { Suspense, useId } from 'react';
import type { EditorProps } from './code-mirror.js';
import { errorIdOf } from './error-id.js';
import { loadedLater } from './loaded-later.js';

const CodeMirror = loadedLater(() => import('./code-mirror.js'));

interface CodeEditorProps extends Omit<EditorProps, 'labelId'> {
  readonly label: string;
  readonly description?: string;
  readonly error?: string | undefined;
}

/** An editor with the colors of a language, faults at their place and completion; its code is loaded when it is first shown. */
export function CodeEditor({ label, description, error, ...editor }: CodeEditorProps) {
  const id = useId();
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      labelProps={{ id }}
      description={description}
      descriptionProps={{ mb: 6 }}
      error={error}
      errorProps={{ id: errorIdOf(id) }}
    >
      <Suspense fallback={<Skeleton height={160} />}>
        <CodeMirror {...editor} labelId={id} />
      </Suspense>
    </Input.Wrapper>
  );
}
