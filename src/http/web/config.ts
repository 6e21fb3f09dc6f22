import { z } from 'zod';
import type { PresentVariables } from '../../platform/config.js';
import { defined } from '../../platform/defined.js';

export const webVariables = {
  CONSOLE: z.enum(['on', 'off']).default('on'),
  DEMO_TOKENS: z.stringbool().default(false),
  SANDBOX_URL: z.url().optional(),
};
type WebVariables = z.infer<z.ZodObject<typeof webVariables>>;

export interface WebConfig {
  /** Whether the console, the reader and the other pages are served. */
  readonly pages: boolean;
  /** Whether the front page gets tokens of the demo's users. */
  readonly demoTokens: boolean;
  /** Of the sandbox's control server: pages show what its providers were sent. */
  readonly sandboxUrl?: string;
}

export const readWeb = (e: WebVariables): WebConfig => ({
  pages: e.CONSOLE === 'on',
  demoTokens: e.DEMO_TOKENS,
  ...defined({ sandboxUrl: e.SANDBOX_URL }),
});

/** A line for each variable that must not be set here: anybody who opens a page would get a token that is good for everything. */
export function webFaults(present: PresentVariables): string[] {
  const demoTokens = webVariables.DEMO_TOKENS.safeParse(present.DEMO_TOKENS).data === true;
  const isProduction = (present.NODE_ENV ?? 'production') === 'production';
  const faults: string[] = [];
  if (demoTokens && isProduction)
    faults.push('DEMO_TOKENS is not for production: every visitor would be given tokens, an admin’s too');
  if (demoTokens && !present.AUTH_SECRET)
    faults.push('DEMO_TOKENS needs AUTH_SECRET, which signs the tokens');
  if (present.SANDBOX_URL && isProduction) faults.push('SANDBOX_URL is not for production');
  return faults;
}
