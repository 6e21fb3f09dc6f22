import http from 'node:http';
import https from 'node:https';
import { unlessEnded } from '../../../platform/deadline.js';
import { mayBePublic } from '../../../platform/network/public-address.js';
import { NotPublic, publicLookup } from '../../../platform/network/public-lookup.js';
import { AskedTooOften, NoPage } from './no-page.js';

const TIMEOUT_MS = 5_000;
const MAX_REDIRECTS = 3;
/** Title and picture are in a page's head. */
const MAX_BYTES = 128 * 1_024;
const END_OF_HEAD = '</head>';
const HTML = /^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i;

/** A page of another server. */
export interface FetchedPage {
  /** Its URL after redirects. */
  readonly url: URL;
  /** Its beginning, to the end of its head, 128 KiB at most. */
  readonly html: string;
}

/** Counts one request to a host. Answers 0; or, where the quota is used up, milliseconds until one fits, and counts nothing. */
export type ChargeHost = (host: string) => Promise<number>;

/**
 * Fetches an HTML page whose URL a user wrote, from the public Internet alone: only http and https on their own ports; every
 * address of a name must be public, and the connection goes to the one that was checked, so a name that changes in between
 * (DNS rebinding) changes nothing; each of at most three redirects is checked the same way. Five seconds and 128 KiB at
 * most, nothing compressed, no cookies, no proxy.
 *
 * @param allowedHosts `host:port` that is not checked so: a server of a test or of one's own network
 * @param chargeHost called before each request, redirects included
 * @throws NoPage for what is refused, is not HTML, or answers 4xx; AskedTooOften; after other errors a retry may succeed
 */
export function fetchPage(
  url: URL,
  allowedHosts: ReadonlySet<string>,
  signal: AbortSignal,
  chargeHost: ChargeHost = async () => 0,
): Promise<FetchedPage> {
  return unlessEnded(TIMEOUT_MS, signal, (deadline) => follow(url, allowedHosts, deadline, chargeHost));
}

async function follow(
  url: URL,
  allowedHosts: ReadonlySet<string>,
  signal: AbortSignal,
  chargeHost: ChargeHost,
): Promise<FetchedPage> {
  let at = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const isAllowed = allowedHosts.has(at.host);
    if (!isAllowed) refuseUnlessPublic(at);
    const waitMs = await chargeHost(at.hostname);
    if (waitMs > 0) throw new AskedTooOften(waitMs);
    const answer = await request(at, isAllowed, signal);
    const { statusCode = 0, headers } = answer;
    if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
      answer.destroy();
      const next = URL.parse(headers.location, at.href);
      if (!next) throw new NoPage('a redirect that is no URL');
      at = next;
      continue;
    }
    try {
      return { url: at, html: await htmlOf(answer) };
    } finally {
      answer.destroy();
    }
  }
  throw new NoPage(`more than ${MAX_REDIRECTS} redirects`);
}

async function request(url: URL, isAllowed: boolean, signal: AbortSignal): Promise<http.IncomingMessage> {
  const client = url.protocol === 'https:' ? https : http;
  return new Promise((done, failed) => {
    client
      .get(url, {
        agent: false,
        signal,
        headers: {
          accept: 'text/html,application/xhtml+xml',
          'accept-encoding': 'identity',
          'user-agent': 'tidings-link-preview/1',
        },
        ...(!isAllowed && { lookup: publicLookup(signal) }),
      })
      .on('response', done)
      // Without a listener Node drops the connection silently.
      .on('upgrade', (_, socket) => {
        socket.destroy();
        failed(new NoPage('the server switches protocols'));
      })
      .on('error', (error) => failed(error instanceof NotPublic ? new NoPage(error.message) : error))
      .on('close', () => failed(new Error('the connection ended without an answer')));
  });
}

/** What can be checked before a name is looked up. */
function refuseUnlessPublic(url: URL): void {
  const { protocol, port, username, password } = url;
  if (protocol !== 'http:' && protocol !== 'https:') throw new NoPage(`${protocol} is not fetched`);
  if (port !== '') throw new NoPage(`port ${port} is not fetched`);
  if (username !== '' || password !== '') throw new NoPage('a URL with credentials is not fetched');
  if (!mayBePublic(url)) throw new NoPage('the address is not public');
}

async function htmlOf(answer: http.IncomingMessage): Promise<string> {
  const { statusCode = 0, headers } = answer;
  const type = headers['content-type'] ?? '';
  if (statusCode >= 500 || statusCode === 429) throw new Error(`the server answers ${statusCode}`);
  if (statusCode !== 200) throw new NoPage(`the server answers ${statusCode}`);
  if (!HTML.test(type)) throw new NoPage('it is no HTML');
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw new NoPage('it is compressed');
  const beginning = Buffer.alloc(MAX_BYTES);
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    const before = Math.max(0, bytes - END_OF_HEAD.length);
    bytes += chunk.copy(beginning, bytes);
    const isOver = beginning.toString('latin1', before, bytes).toLowerCase().includes(END_OF_HEAD);
    if (isOver || bytes === MAX_BYTES) break;
  }
  return decoderOf(type).decode(beginning.subarray(0, bytes));
}

function decoderOf(contentType: string): { decode(bytes: Uint8Array): string } {
  const [, charset = 'utf-8'] = /charset\s*=\s*"?([\w-]+)/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
