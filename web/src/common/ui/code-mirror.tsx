import { autocompletion, type CompletionSource } from '@codemirror/autocomplete';
import { liquid } from '@codemirror/lang-liquid';
import { yaml } from '@codemirror/lang-yaml';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView, placeholder as placeholderOf } from '@codemirror/view';
import { useComputedColorScheme } from '@mantine/core';
import { basicSetup } from 'codemirror';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { codeColors } from './code-colors.js';
import { errorIdOf } from './error-id.js';

/** Where a text is at fault: line and column count from 1. */
export interface EditorFault {
  readonly line: number;
  readonly column?: number | null | undefined;
  readonly message: string;
}

export interface EditorProps {
  readonly value: string;
  readonly onChange?: (value: string) => void;
  readonly language?: 'yaml' | 'liquid' | 'text';
  readonly faults?: readonly EditorFault[];
  readonly complete?: CompletionSource;
  readonly isReadOnly?: boolean;
  readonly placeholder?: string;
  /** The element that names the editor. */
  readonly labelId: string;
  readonly minHeight?: string;
  /** Longer texts scroll inside. Absent: the editor grows with its text. */
  readonly maxHeight?: string;
}

const LANGUAGES: Readonly<Record<string, () => Extension>> = { yaml, liquid, text: () => [] };

export default function CodeMirror(props: EditorProps) {
  const {
    value,
    faults,
    labelId,
    language = 'text',
    isReadOnly = false,
    placeholder,
    minHeight = '8rem',
    maxHeight = 'none',
  } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(props);
  latest.current = props;
  const look = useRef(new Compartment());
  const scheme = useComputedColorScheme('light');

  // biome-ignore lint/correctness/useExhaustiveDependencies: one editor for as long as the component is there
  useEffect(() => {
    const editor = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: value,
        extensions: [
          basicSetup,
          codeColors,
          LANGUAGES[language]!(),
          lintGutter(),
          EditorView.lineWrapping,
          EditorState.readOnly.of(isReadOnly),
          EditorView.contentAttributes.of({
            'aria-labelledby': labelId,
            'aria-describedby': errorIdOf(labelId),
            tabindex: '0',
          }),
          autocompletion({ override: [(context) => latest.current.complete?.(context) ?? null] }),
          placeholder ? placeholderOf(placeholder) : [],
          look.current.of(lookOf(scheme, minHeight, maxHeight)),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange?.(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  // Before anything else may be typed: what was typed since would be undone.
  useLayoutEffect(() => {
    const editor = view.current;
    if (editor && editor.state.doc.toString() !== value)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (editor)
      editor.dispatch(
        setDiagnostics(
          editor.state,
          (faults ?? []).map((fault) => diagnosticOf(editor.state, fault)),
        ),
      );
  }, [faults]);

  useEffect(() => {
    view.current?.dispatch({ effects: look.current.reconfigure(lookOf(scheme, minHeight, maxHeight)) });
  }, [scheme, minHeight, maxHeight]);

  return <div ref={host} />;
}

function diagnosticOf({ doc }: EditorState, { line, column, message }: EditorFault): Diagnostic {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const start = Math.min(from + Math.max((column ?? 1) - 1, 0), to);
  return { from: start, to: Math.max(to, start), severity: 'error', message };
}

const lookOf = (scheme: 'light' | 'dark', minHeight: string, maxHeight: string): Extension =>
  EditorView.theme(
    {
      '&': {
        maxHeight,
        fontSize: '13px',
        border: '1px solid var(--mantine-color-default-border)',
        borderRadius: 'var(--mantine-radius-md)',
        backgroundColor: 'var(--mantine-color-body)',
      },
      '&.cm-focused': { outline: '2px solid var(--mantine-color-brand-6)' },
      '.cm-scroller': { overflow: 'auto' },
      '.cm-content': { minHeight, fontFamily: 'var(--mantine-font-family-monospace)' },
      '.cm-gutters': { backgroundColor: 'transparent', border: 'none' },
    },
    { dark: scheme === 'dark' },
  );
