import type { UserError } from '../../../platform/errors.js';
import type { Channel } from '../types.js';
import { MAX_TEXT, type Unfit } from './fill.js';
import type { Rendering } from './render.js';

/** What a rendering was made of, for people. */
interface Rendered {
  readonly templateId: string;
  readonly channel: Channel;
}

/** Why a template and these variables make no text: MISSING_VARIABLE, VARIABLE_TYPE, TEXT_TOO_LONG, URL_UNSAFE or HTML_UNSAFE. */
export function faultOf(
  rendering: Exclude<Rendering, { kind: 'rendered' }>,
  { templateId, channel }: Rendered,
  variablesPath: readonly string[],
): UserError & { readonly path: readonly string[] } {
  switch (rendering.kind) {
    case 'missing': {
      const message = missing(rendering.variable, templateId);
      return { code: 'MISSING_VARIABLE', message, path: [...variablesPath, rendering.variable] };
    }
    case 'mistyped': {
      const message = `Variable ${rendering.variable} must be a ${rendering.expected}`;
      return { code: 'VARIABLE_TYPE', message, path: [...variablesPath, rendering.variable] };
    }
    case 'unfit': {
      const message = `${rendering.field} becomes ${becomes[rendering.why]} on ${channel}`;
      return { code: rendering.why, message, path: variablesPath };
    }
  }
}

/** Names the variable and the template. */
export const missing = (variable: string, templateId: string): string =>
  `variable ${variable} of template ${templateId} is missing`;

const becomes: Readonly<Record<Unfit, string>> = {
  TEXT_TOO_LONG: `longer than ${MAX_TEXT} characters`,
  URL_UNSAFE: 'a link that must not be opened',
  HTML_UNSAFE: 'HTML in which a value could do harm',
};
