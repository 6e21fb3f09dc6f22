/** A host as browsers write it: a name or an address, and a port. All else stays out of a header. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Content-Security-Policy of the pages, and of their scripts, since workers have the policy that their script came with. Scripts
 * come from here as files; styles may be written into elements, as Mantine, CodeMirror and GraphiQL do. A mail is shown in a
 * sandboxed frame, which has the policy of the page around it.
 *
 * @param from.media where files of posts are, if elsewhere than below this address
 * @param from.hosts by which sockets may be opened; a browser's `'self'` may not mean them
 * @param from.sandbox of the sandbox's control server
 */
export function contentPolicy(from: {
  readonly media?: string;
  readonly hosts: readonly (string | undefined)[];
  readonly sandbox?: string;
}): string {
  const media = from.media ? [new URL(from.media).origin] : [];
  const sandbox = from.sandbox ? [new URL(from.sandbox).origin] : [];
  const hosts = new Set(from.hosts.filter((host) => host !== undefined && HOST.test(host)));
  const sockets = [...hosts].flatMap((host) => [`ws://${host}`, `wss://${host}`]);
  return Object.entries({
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', ...media],
    'media-src': ["'self'", 'blob:', ...media],
    'font-src': ["'self'", 'data:'],
    'connect-src': ["'self'", ...sockets, ...sandbox],
    'worker-src': ["'self'", 'blob:'],
    'manifest-src': ["'self'"],
    'frame-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  })
    .map(([directive, sources]) => [directive, ...sources].join(' '))
    .join('; ');
}
