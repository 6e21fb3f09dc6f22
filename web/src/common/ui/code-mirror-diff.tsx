import { liquid } from '@codemirror/lang-liquid';
import { yaml } from '@codemirror/lang-yaml';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { Text, useComputedColorScheme } from '@mantine/core';
import { basicSetup } from 'codemirror';
import { useEffect, useRef } from 'react';
import { useCommonTexts } from '../i18n.js';
import { codeColors } from './code-colors.js';

export interface DiffProps {
  /** What it is the difference of, for those who hear it. */
  readonly label: string;
  readonly before: string;
  readonly after: string;
  readonly language?: 'yaml' | 'liquid' | 'text';
  readonly maxHeight?: string;
}

const LANGUAGES: Readonly<Record<string, () => Extension>> = { yaml, liquid, text: () => [] };

export default function CodeMirrorDiff({
  label,
  before,
  after,
  language = 'text',
  maxHeight = '24rem',
}: DiffProps) {
  const t = useCommonTexts();
  const host = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  const isSame = before === after;
  useEffect(() => {
    if (isSame) return;
    const view = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: after,
        extensions: [
          basicSetup,
          codeColors,
          LANGUAGES[language]!(),
          EditorView.lineWrapping,
          EditorState.readOnly.of(true),
          EditorView.editable.of(false),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          EditorState.phrases.of({ '$ unchanged lines': t('diff.unchanged') }),
          unifiedMergeView({
            original: before,
            mergeControls: false,
            collapseUnchanged: { margin: 3, minSize: 6 },
          }),
          lookOf(scheme, maxHeight),
        ],
      }),
    });
    return () => view.destroy();
  }, [before, after, isSame, label, language, maxHeight, scheme, t]);
  if (isSame)
    return (
      <Text size="sm" c="dimmed">
        {t('diff.same')}
      </Text>
    );
  return <div ref={host} />;
}

const lookOf = (scheme: 'light' | 'dark', maxHeight: string): Extension =>
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
      '.cm-content': { fontFamily: 'var(--mantine-font-family-monospace)' },
      '.cm-gutters': { backgroundColor: 'transparent', border: 'none' },
      '.cm-collapsedLines': {
        background: 'var(--row-hover)',
        color: 'var(--mantine-color-dimmed)',
      },
      // Its own sign is in few fonts.
      '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"⋯"' },
    },
    { dark: scheme === 'dark' },
  );
