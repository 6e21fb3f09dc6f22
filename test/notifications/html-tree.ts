import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { tokenizeHtml } from '../../src/domains/notifications/templates/html-tokens.js';

type Parent = DefaultTreeAdapterTypes.ParentNode;

/**
 * What a browser makes of HTML, without its texts: elements and attribute names, as they are nested. Comments are read as
 * HTML too, as some mail programs do.
 */
export function shapeOf(html: string): string {
  return shape(parse(html));
}

function shape(node: Parent): string {
  const parts = node.childNodes.map((child) => {
    if (child.nodeName === '#comment') {
      return `comment[${shape(parse((child as DefaultTreeAdapterTypes.CommentNode).data))}]`;
    }
    if (!('tagName' in child)) return '';
    const names = child.attrs.map(({ prefix, name }) => (prefix ? `${prefix}:${name}` : name));
    const content = 'content' in child ? shape(child.content as Parent) : '';
    return `${child.tagName}(${names.join(' ')})[${shape(child)}${content}]`;
  });
  return parts.filter(Boolean).join(',');
}

/** The tags and comments of HTML one after the other, without its texts, whatever a browser then makes of them. */
export function tagsOf(html: string): string {
  const parts = tokenizeHtml(html).map((token) => {
    if (token.kind === 'comment') return `comment[${tagsOf(html.slice(token.start + 4, token.end))}]`;
    if (token.kind === 'endTag') return `/${token.tagName}`;
    if (token.kind !== 'startTag') return '';
    return `${token.tagName}(${token.attributes.map(({ name }) => name).join(' ')})`;
  });
  return parts.filter(Boolean).join(',');
}

type Child = DefaultTreeAdapterTypes.ChildNode;

/** What stands in the body, and comments before it. */
export function childrenOf(html: string): readonly Child[] {
  const document = parse(`<!DOCTYPE html><body>${html}`);
  const root = document.childNodes.find((node) => node.nodeName === 'html') as Parent;
  return (root.childNodes.find((node) => node.nodeName === 'body') as Parent).childNodes;
}

/** The attributes' values and the texts of elements, as a reader gets them. */
export const textsOf = (nodes: readonly Child[]): readonly string[] =>
  nodes.flatMap((node) => {
    if ('value' in node) return [node.value];
    if (!('tagName' in node)) return [];
    return [...node.attrs.map(({ value }) => value), ...textsOf(node.childNodes)];
  });
