/** Files of posts. Whatever else this server answers may count that it was asked for. */
const FILES = /^\/media\//;

/** Whether this page may load it: a file of this server, or what is written out in the document. */
export function isLoadable(url: string): boolean {
  if (/^(data|blob):/i.test(url)) return true;
  const parsed = URL.parse(url, location.href);
  return parsed !== null && parsed.origin === location.origin && FILES.test(parsed.pathname);
}

/** What runs or loads something; the last is the picture by which mails are counted as opened. */
const LEFT_OUT =
  'script, link, meta, base, iframe, object, embed, source, video, audio, input[type=image], svg image, img[width="1"][height="1"]';

/**
 * The document of a mail for a sandboxed frame. Nothing is loaded from elsewhere, so that looking at it counts as no opening
 * and is seen by nobody: a picture becomes a box with its text.
 */
export function mailDocument(html: string): {
  readonly html: string;
  readonly hasPicturesElsewhere: boolean;
} {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  for (const element of parsed.querySelectorAll(LEFT_OUT)) element.remove();
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
