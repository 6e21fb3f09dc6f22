import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';

const color = (light: string, dark: string) => ({ color: `light-dark(${light}, ${dark})` });

/** Colors of code, of which each has a contrast of 4.5 or more in both schemes; CodeMirror's own are for light grounds. */
export const codeColors: Extension = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.comment, tags.meta], ...color('#6b5313', '#d1b97a') },
    {
      tag: [tags.propertyName, tags.definition(tags.propertyName), tags.labelName],
      ...color('#0b4f8a', '#8ec7ff'),
    },
    { tag: [tags.keyword, tags.tagName, tags.controlKeyword], ...color('#7a1fa2', '#dda6f5') },
    { tag: [tags.string, tags.special(tags.string)], ...color('#0a6259', '#7fe0cc') },
    { tag: [tags.number, tags.bool, tags.null, tags.atom], ...color('#a1260d', '#ffb199') },
    { tag: [tags.separator, tags.punctuation, tags.bracket], ...color('#495057', '#c1c7cd') },
  ]),
);
