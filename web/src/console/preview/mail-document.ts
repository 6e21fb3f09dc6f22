/** Whether this page may load it: from its own address, or written out in the document. */
export function isLoadable(url: string): boolean {
  if (/^(data|blob):/i.test(url)) return true;
  return URL.canParse(url, location.href) && new URL(url, location.href).origin === location.origin;
}

/**
 * The document of a mail for a sandboxed frame. Nothing is loaded from elsewhere, so that looking at it counts as no opening
 * and is seen by nobody: a picture becomes a box with its text.
 */
export function mailDocument(html: string): {
  readonly html: string;
  readonly hasPicturesElsewhere: boolean;
} {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  for (const element of parsed.querySelectorAll('script, link, meta, base, iframe, object, embed'))
    element.remove();
  let hasPicturesElsewhere = false;
  for (const picture of parsed.querySelectorAll('img')) {
    const source = picture.getAttribute('src') ?? '';
    picture.removeAttribute('srcset');
    if (isLoadable(source)) continue;
    picture.replaceWith(boxFor(parsed, picture, source));
    hasPicturesElsewhere = true;
  }
  for (const element of parsed.querySelectorAll('[background]')) element.removeAttribute('background');
  for (const element of parsed.querySelectorAll<HTMLElement>('[style]'))
    element.setAttribute('style', withoutUrls(element.getAttribute('style')!));
  for (const style of parsed.querySelectorAll('style')) style.textContent = withoutUrls(style.textContent);
  const looks = parsed.createElement('style');
  looks.textContent =
    'html{background:#fff;color:#111}body{margin:12px;font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}';
  parsed.head.prepend(looks);
  return { html: `<!doctype html>${parsed.documentElement.outerHTML}`, hasPicturesElsewhere };
}

function boxFor(document: Document, picture: HTMLImageElement, source: string): HTMLElement {
  const box = document.createElement('span');
  box.textContent = picture.alt || source;
  box.setAttribute(
    'style',
    'display:inline-block;padding:8px;border:1px dashed #767676;color:#595959;font-size:12px;background:#fff',
  );
  return box;
}

const withoutUrls = (css: string): string =>
  css.replaceAll(/@import[^;]*;?/gi, '').replaceAll(/url\(\s*(['"]?)(?!data:)[^)]*\)/gi, 'none');
