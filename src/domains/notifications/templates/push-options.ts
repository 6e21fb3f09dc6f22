import { z } from 'zod';
import type { UserError } from '../../../platform/errors.js';
import { hasAtMost, isStorable } from '../../../platform/text.js';
import type { RenderedContent } from '../providers/provider.js';
import { hasControl } from '../text.js';
import { type Channel, channelsWith } from '../types.js';
import type { Filled } from './fill.js';

/** What only pushes have, as a template says it. */
export const pushOptions = z.strictObject({
  /** A second line below the title, on Apple's devices; may have placeholders. */
  subtitle: z.string().optional(),
  /** The number on the app's icon, on Apple's devices: a whole number or one placeholder. */
  badge: z.string().optional(),
  /** Of the icon, on Android: `#rrggbb`. */
  color: z.string().optional(),
  /** Wakes the app on Apple's devices. */
  contentAvailable: z.boolean().optional(),
  /** Goes to Apple's devices as a push about a call. */
  voip: z.boolean().optional(),
});
export type PushOptions = Readonly<z.infer<typeof pushOptions>>;

const MAX_SUBTITLE = 1_000;
const BADGE = /^(\d{1,9}|\{\{\w+\}\})$/;
const COLOR = /^#[0-9a-f]{6}$/i;

/** Every fault of a template's push options: TEXT_INVALID, FIELD_NOT_FOR_CHANNEL. */
export function checkPushOptions(
  options: PushOptions | undefined,
  channel: Channel,
  root: readonly string[],
): readonly UserError[] {
  if (!options || Object.values(options).every((one) => one === undefined)) return [];
  const path = [...root, 'pushOptions'];
  const owners = channelsWith('pushOptions');
  if (!owners.includes(channel)) {
    const message = `Only ${owners.join(' and ')} templates have pushOptions`;
    return [{ code: 'FIELD_NOT_FOR_CHANNEL', message, path }];
  }
  const { subtitle = '', badge = '0', color = '#000000' } = options;
  const isLine = hasAtMost(subtitle, MAX_SUBTITLE) && isStorable(subtitle) && !hasControl(subtitle);
  const checks = [
    ['subtitle', isLine, `subtitle must be one line of at most ${MAX_SUBTITLE} characters`],
    ['badge', BADGE.test(badge), 'badge must be a whole number or one placeholder'],
    ['color', COLOR.test(color), 'color must be like #1a2b3c'],
  ] as const;
  return checks.flatMap(([field, isFine, message]) =>
    isFine ? [] : [{ code: 'TEXT_INVALID', message, path: [...path, field] }],
  );
}

type RenderedOptions = Pick<RenderedContent, 'subtitle' | 'badge' | 'color' | 'contentAvailable' | 'voip'>;

/** Fills the options' placeholders. A badge that is no whole number then is left out: it must cost no message. */
export function compilePushOptions<Values>(
  { subtitle, badge, color, contentAvailable, voip }: PushOptions,
  compile: Readonly<Record<'line' | 'text', (text: string) => (values: Values) => Filled>>,
): (values: Values) => RenderedOptions {
  const fills = { subtitle: compile.line(subtitle ?? ''), badge: compile.text(badge ?? '') };
  return (values) => {
    const text = (fill: (values: Values) => Filled): string => {
      const filled = fill(values);
      return filled.ok ? filled.text : '';
    };
    const [line, number] = [text(fills.subtitle), text(fills.badge)];
    return {
      ...(line && { subtitle: line }),
      ...(/^\d{1,9}$/.test(number) && { badge: Number(number) }),
      ...(color && { color }),
      ...(contentAvailable && { contentAvailable }),
      ...(voip && { voip }),
    };
  };
}
