import { compilePushOptions } from '../push-options.js';
import type { Rendering, TemplateText } from '../render.js';
import { createPlaces, givenValue, type Variables } from '../variables.js';
import { compileLiquid, type FieldFault, type FieldKind } from './compile.js';
import type { FindPartial, Partials } from './parse.js';
import { MAX_WORK, type Reader, startRun } from './run.js';

/** What each field is. */
const fields = {
  title: 'line',
  subject: 'line',
  body: 'text',
  htmlBody: 'html',
  imageUrl: 'link',
  actionUrl: 'link',
} as const satisfies Partial<Record<keyof TemplateText, FieldKind>>;
type TextField = keyof typeof fields;
const fieldNames = Object.keys(fields) as readonly TextField[];

/** How a Liquid template is rendered: in the same order, and by the same rules, as a plain one. */
export function liquidRenderer(template: TemplateText): (given: Variables, reader: Reader) => Rendering {
  const { names, placeOf } = createPlaces();
  const compile = (kind: FieldKind, text: string) =>
    compileLiquid(kind, text, placeOf, partialsFor(kind, template.partials));
  const fills = fieldNames.flatMap((field) => {
    const text = template[field];
    return text === null ? [] : [{ field, fill: compile(fields[field], text).fill }];
  });
  const fillOptions = compilePushOptions(template.pushOptions ?? {}, {
    line: (text) => compile('line', text).fill,
    text: (text) => compile('text', text).fill,
  });
  const byName = new Map(Object.entries(template.variables));
  return (given, reader) => {
    const run = startRun(
      names.map((name) => givenValue(given, name) ?? byName.get(name)?.default),
      reader,
    );
    const content: { body: string } & Partial<Record<TextField, string>> = { body: '' };
    for (const { field, fill } of fills) {
      const filled = fill(run);
      if (!filled.ok) return { kind: 'unfit', field, why: filled.unfit, work: MAX_WORK - run.work };
      content[field] = filled.text;
    }
    const options = fillOptions(run);
    return { kind: 'rendered', content: { ...content, ...options }, work: MAX_WORK - run.work };
  };
}

/** Everything that is wrong with one field of a Liquid template, or of the partial `itself`. */
export function liquidFaults(
  field: TextField | 'subtitle',
  text: string,
  partials: Partials | undefined,
  itself: string | null,
): readonly FieldFault[] {
  const kind = field === 'subtitle' ? 'line' : fields[field];
  const { placeOf } = createPlaces();
  return compileLiquid(kind, text, placeOf, partialsFor(kind, partials), itself).faults;
}

/** HTML takes the HTML of its partials, and all else their plain text. */
const partialsFor =
  (kind: FieldKind, partials: Partials | undefined): FindPartial =>
  (name) => {
    const partial = partials?.get(name);
    return (kind === 'html' ? partial?.htmlBody : partial?.body) ?? null;
  };
