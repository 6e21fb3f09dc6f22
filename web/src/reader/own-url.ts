/** A URL of a picture that pages of this server may load; undefined where it is of another server, which would learn who looks. */
export function ownUrl(url: string | null | undefined): string | undefined {
  const parsed = url ? URL.parse(url) : null;
  if (!parsed) return undefined;
  return parsed.origin === location.origin || parsed.pathname.startsWith('/media/') ? parsed.href : undefined;
}

/** Where a notification or a mention leads within this app; undefined where it leads elsewhere. */
export function pathOf(url: string | null | undefined): string | undefined {
  const [, kind, id] =
    /^\/(?:app\/)?(posts|users|people)\/([^/]+)\/?$/.exec(URL.parse(url ?? '')?.pathname ?? '') ?? [];
  if (!kind || !id) return undefined;
  return kind === 'posts' ? `/posts/${id}` : `/people/${id}`;
}
