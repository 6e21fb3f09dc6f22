import { escapeHtml, type MailPage } from './mail-page.js';
import type { MailPageTexts } from './mail-page-texts.js';

/** The name of the page's button: what a mail client posts by itself (RFC 8058) does not have it. */
export const CONFIRM = 'confirm';

/**
 * Asks before anything changes; posts to its own address.
 *
 * @param search the query string of the page of preferences, beside this one
 */
export const unsubscribePage =
  (search: string) =>
  ({ unsubscribe, preferences }: MailPageTexts): MailPage => ({
    title: unsubscribe.title,
    content: `<p>${escapeHtml(unsubscribe.question)}</p>
<form method="post">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button name="${CONFIRM}" value="1">${escapeHtml(unsubscribe.button)}</button>
</form>
${linkTo(search, preferences.title)}`,
  });

export const unsubscribedPage =
  (search: string) =>
  ({ unsubscribed, preferences }: MailPageTexts): MailPage => ({
    title: unsubscribed.title,
    content: `<p>${escapeHtml(unsubscribed.done)}</p>
${linkTo(search, preferences.title)}`,
  });

const linkTo = (search: string, text: string): string =>
  `<p><a href="preferences${escapeHtml(search)}">${escapeHtml(text)}</a></p>`;
