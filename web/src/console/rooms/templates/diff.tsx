import { MergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';

interface DiffProps {
  readonly left: string;
  readonly right: string;
  readonly label: string;
}

/** Two texts side by side, what differs in colors; what is equal is folded. */
export default function Diff({ left, right, label }: DiffProps) {
  const host = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  useEffect(() => {
    const extensions = [
      EditorState.readOnly.of(true),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true' }),
      lineNumbers(),
      EditorView.theme(
        {
          '&': { fontSize: '13px' },
          '.cm-content': { fontFamily: 'var(--mantine-font-family-monospace)' },
          '.cm-gutters': {
            backgroundColor: 'transparent',
            border: 'none',
            color: 'var(--mantine-color-dimmed)',
          },
        },
        { dark: scheme === 'dark' },
      ),
    ];
    const view = new MergeView({
      parent: host.current!,
      a: { doc: left, extensions },
      b: { doc: right, extensions },
      gutter: true,
      collapseUnchanged: { margin: 3, minSize: 6 },
    });
    return () => view.destroy();
  }, [left, right, label, scheme]);
  return <div ref={host} />;
}
