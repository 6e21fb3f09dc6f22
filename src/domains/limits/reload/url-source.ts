import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { untilDeadline } from '../../../platform/deadline.js';
import { boundedText } from './bounded-text.js';
import type { RuleSource } from './rule-source.js';

/**
 * Rules behind an http(s) URL: asked again and again, and sent again only when they have changed, if the server gives
 * entity tags. A name and password in the URL are sent as basic authentication, and never shown.
 */
export function openUrlSource(address: URL, options: { readonly answerMs: number }): RuleSource {
  const url = withoutCredentials(address);
  let known: { readonly etag: string; readonly text: string } | undefined;
  const closed = new AbortController();

  async function ask(late: AbortSignal): Promise<string> {
    const signal = AbortSignal.any([late, closed.signal]);
    const headers = {
      accept: 'application/yaml, application/json, */*',
      ...authorizationOf(address),
      ...(known && { 'if-none-match': known.etag }),
    };
    const response = await fetch(url, { headers, signal });
    if (known && response.status === 304) return known.text;
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`it answered with status ${response.status}`);
    }
    const text = response.body ? await boundedText(Readable.fromWeb(response.body as ReadableStream)) : '';
    const etag = response.headers.get('etag');
    known = etag ? { etag, text } : undefined;
    return text;
  }

  return {
    name: url.href,
    read: () =>
      untilDeadline(options.answerMs, ask).catch((error: unknown) => {
        throw plain(error);
      }),
    close: () => closed.abort(),
  };
}

/** `fetch` takes no URL that holds a password, which must not be logged either. */
function withoutCredentials(address: URL): URL {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url;
}

function authorizationOf({ username, password }: URL): { readonly authorization?: string } {
  if (!username && !password) return {};
  const pair = [username, password].map(decodeURIComponent).join(':');
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** `fetch failed` hides what failed. */
function plain(error: unknown): unknown {
  const { cause } = error as Error;
  if (!(cause instanceof Error)) return error;
  return new Error(cause.message || ((cause as NodeJS.ErrnoException).code ?? cause.name), { cause });
}
