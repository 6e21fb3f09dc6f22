import type { UserError } from '../../../platform/errors.js';
import { isName } from '../text.js';
import type { Platform } from '../types.js';

/** A phone or browser that push reaches. Its token is shown to nobody. */
export interface Device {
  readonly deviceId: string;
  readonly platform: Platform;
  readonly appVersion: string | null;
  /** False once it was not seen for 60 days: nothing is sent to it until it registers again. */
  readonly isActive: boolean;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
}

/** What is wrong with a device's id, if anything. */
export const checkDeviceId = (deviceId: string): UserError[] =>
  checkName('ID_INVALID', 'deviceId', deviceId, 128);

export function checkName(code: string, field: string, text: string, max: number): UserError[] {
  if (isName(text, max)) return [];
  return [{ code, message: `${field} must have 1 to ${max} printable characters`, path: ['input', field] }];
}
