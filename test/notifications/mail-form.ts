import { type DefaultTreeAdapterMap, defaultTreeAdapter, parse } from 'parse5';

type Element = DefaultTreeAdapterMap['element'];
type Node = DefaultTreeAdapterMap['node'];

/** A page as a browser without scripts has it. */
export interface SeenPage {
  readonly language: string | undefined;
  readonly text: string;
  /** Every element, in order. */
  readonly elements: readonly {
    readonly tag: string;
    readonly attributes: Readonly<Record<string, string>>;
    readonly text: string;
  }[];
  /** What its form posts as it is. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Each checkbox by what it belongs to and its label, and whether it is checked. */
  readonly boxes: Readonly<Record<string, { readonly value: string; readonly isChecked: boolean }>>;
}

const attributesOf = ({ attrs }: Element): Record<string, string> =>
  Object.fromEntries(attrs.map(({ name, value }) => [name, value]));

function textOf(node: Node): string {
  if (defaultTreeAdapter.isTextNode(node)) return node.value;
  if (!('childNodes' in node) || node.nodeName === 'style') return '';
  return node.childNodes.map(textOf).join('');
}

function elementsBelow(node: Node): Element[] {
  const below = 'childNodes' in node ? node.childNodes.flatMap(elementsBelow) : [];
  return defaultTreeAdapter.isElementNode(node) ? [node, ...below] : below;
}

export function seePage(html: string): SeenPage {
  const all = elementsBelow(parse(html));
  const fields = all.flatMap((element): [string, string][] => {
    const { name, value = 'on', type, checked } = attributesOf(element);
    if (element.tagName === 'select') {
      const options = elementsBelow(element).filter(({ tagName }) => tagName === 'option');
      const chosen = options.find((option) => 'selected' in attributesOf(option)) ?? options[0];
      return name && chosen ? [[name, attributesOf(chosen).value!]] : [];
    }
    if (element.tagName !== 'input' || !name) return [];
    return type === 'checkbox' && checked === undefined ? [] : [[name, value]];
  });
  const boxes = all
    .filter(({ tagName }) => tagName === 'label')
    .flatMap((label) => {
      const box = elementsBelow(label).find((inner) => attributesOf(inner).type === 'checkbox');
      if (!box) return [];
      const set = label.parentNode as Element;
      const legend = elementsBelow(set).find(({ tagName }) => tagName === 'legend');
      const name = [legend && set.tagName === 'fieldset' ? textOf(legend) : '', textOf(label).trim()];
      const { value = 'on', checked } = attributesOf(box);
      return [[name.filter(Boolean).join(': '), { value, isChecked: checked !== undefined }] as const];
    });
  return {
    language: attributesOf(all.find(({ tagName }) => tagName === 'html')!).lang,
    text: all.flatMap((element) => (element.tagName === 'body' ? textOf(element) : [])).join(''),
    elements: all.map((element) => ({
      tag: element.tagName,
      attributes: attributesOf(element),
      text: textOf(element).trim(),
    })),
    fields,
    boxes: Object.fromEntries(boxes),
  };
}

/** What the form posts once a person has ticked these boxes, or removed the ticks, and has chosen in the list. */
export function filledIn(
  page: SeenPage,
  ticks: Readonly<Record<string, boolean>>,
  chosen: Readonly<Record<string, string>> = {},
): URLSearchParams {
  let fields = page.fields.map(([name, value]): [string, string] => [name, chosen[name] ?? value]);
  for (const [label, isChecked] of Object.entries(ticks)) {
    const { value } = page.boxes[label]!;
    const name = page.elements.find(
      ({ attributes }) => attributes.type === 'checkbox' && attributes.value === value,
    )!.attributes.name!;
    fields = fields.filter(([one, its]) => one !== name || its !== value);
    if (isChecked) fields.push([name, value]);
  }
  return new URLSearchParams(fields);
}
