import type { UserError } from '../../platform/errors.js';
import { hasAtMost, isStorable } from '../../platform/text.js';

const CONTROL = /\p{Cc}/u;

/** Whether a text has control characters: line breaks, escapes and their like. */
export const hasControl = (text: string): boolean => CONTROL.test(text);

/** Schemes that run what they name, carry their own content, or reach into the device. App schemes are fine. */
const UNSAFE_SCHEME = /^(javascript|vbscript|data|file|filesystem|blob|about|view-source):/i;

/** Whether a link may be opened by its recipient. Blanks and invisible characters hide no scheme. */
export const isOpenable = (link: string): boolean =>
  !UNSAFE_SCHEME.test(link.replace(/[\s\p{Cc}\p{Cf}]/gu, ''));

/** A name or id: 1 to `max` characters, none of them a control character, no blanks around it. */
export const isName = (text: string, max: number): boolean =>
  text !== '' && hasAtMost(text, max) && text.trim() === text && isStorable(text) && !hasControl(text);

/**
 * What is wrong with a name or id of an input, if anything.
 *
 * @param path where it stands in the input
 */
export const checkName = (code: string, text: string, path: readonly string[], max = 64): UserError[] =>
  isName(text, max)
    ? []
    : [{ code, message: `${path.at(-1)} must have 1 to ${max} printable characters`, path }];

/** Whether a text is a UUID as Postgres reads it. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** A provider's text about a recipient, for readers who may not know their address. */
export const withoutAddress = (text: string, address: string | null): string =>
  address ? text.replaceAll(address, '[address]') : text;

/** The start of somebody else's text, as Postgres can store it. */
export const storable = (text: string, max: number): string =>
  text.slice(0, max).toWellFormed().replaceAll('\0', '');
