import {
  DIGEST_TYPE,
  digestFrequencies,
  type PreferencePage,
  type TypeChoices,
} from '../domains/notifications/index.js';
import { escapeHtml, type MailPage } from './mail-page.js';
import { type MailPageTexts, nameOfType } from './mail-page-texts.js';
import { DIGEST, MARKETING, ON, pairOf, SHOWN, SHOWN_DIGEST, SHOWN_MARKETING } from './preference-form.js';

/**
 * A form of all that a person can choose. It works without scripts, and posts to its own address, which is signed. Beside each choice
 * stands how it was shown, so that only what the person changed is changed.
 *
 * @param isSaved whether to say that their choices are saved
 */
export const preferencePage =
  (page: PreferencePage, isSaved: boolean) =>
  (texts: MailPageTexts): MailPage => {
    const { preferences } = texts;
    const essential = page.types.filter((type) => type.isEssential);
    const others = page.types.filter((type) => !type.isEssential && type.channels.length > 0);
    return {
      title: preferences.title,
      content: [
        isSaved && `<p role="status" tabindex="-1" autofocus>${escapeHtml(preferences.saved)}</p>`,
        `<p>${escapeHtml(preferences.intro)}</p>`,
        '<form method="post">',
        marketing(page, texts),
        `<h2>${escapeHtml(preferences.types)}</h2>`,
        ...others.map((type) => choices(type, texts)),
        digest(page, texts),
        `<p><button>${escapeHtml(preferences.save)}</button></p>`,
        '</form>',
        essential.length > 0 && alwaysSent(essential, texts),
      ]
        .filter((part) => part !== false)
        .join('\n'),
    };
  };

function marketing({ marketingOptIn }: PreferencePage, { preferences }: MailPageTexts): string {
  const { marketing: name, marketingHint: hint } = preferences;
  return `<p>${hidden(SHOWN_MARKETING, marketingOptIn ? 'on' : 'off')}
<label><input type="checkbox" name="${MARKETING}" value="on"${checked(marketingOptIn)} aria-describedby="marketing-hint"> ${escapeHtml(name)}</label></p>
<p id="marketing-hint">${escapeHtml(hint)}</p>`;
}

function choices({ notificationType, isMarketing, channels }: TypeChoices, texts: MailPageTexts): string {
  const boxes = channels.map(({ channel, enabled }) => {
    const pair = escapeHtml(pairOf({ channel, notificationType }));
    return `${hidden(SHOWN, `${enabled ? 'on' : 'off'}/${pairOf({ channel, notificationType })}`)}
<label><input type="checkbox" name="${ON}" value="${pair}"${checked(enabled)}> ${escapeHtml(texts.channels[channel])}</label>`;
  });
  return `<fieldset>
<legend>${escapeHtml(nameOfType(texts, notificationType))}</legend>
${isMarketing ? `<div>${escapeHtml(texts.preferences.marketingType)}</div>\n` : ''}${boxes.join('\n')}
</fieldset>`;
}

function digest(
  { digestFrequency, types }: PreferencePage,
  { preferences, digestFrequencies: names }: MailPageTexts,
): string {
  const own = types.find(({ notificationType }) => notificationType === DIGEST_TYPE);
  const isOff = own?.channels.some(({ enabled }) => !enabled) ?? false;
  const options = digestFrequencies.map(
    (frequency) =>
      `<option value="${frequency}"${frequency === digestFrequency ? ' selected' : ''}>${escapeHtml(names[frequency])}</option>`,
  );
  return `<fieldset>
<legend>${escapeHtml(preferences.digest)}</legend>
${hidden(SHOWN_DIGEST, digestFrequency)}
<label>${escapeHtml(preferences.digestHint)} <select name="${DIGEST}">${options.join('')}</select></label>${isOff ? `\n<div>${escapeHtml(preferences.digestOff)}</div>` : ''}
</fieldset>`;
}

function alwaysSent(types: readonly TypeChoices[], texts: MailPageTexts): string {
  const { essential, essentialOff } = texts.preferences;
  const items = types.map(({ notificationType, channels }) => {
    const names = channels.map(({ channel, enabled }) =>
      enabled ? texts.channels[channel] : `${texts.channels[channel]} (${essentialOff})`,
    );
    return `<li>${escapeHtml(`${nameOfType(texts, notificationType)}: ${names.join(', ')}`)}</li>`;
  });
  return `<h2>${escapeHtml(essential)}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
}

const hidden = (name: string, value: string): string =>
  `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;

const checked = (isOn: boolean): string => (isOn ? ' checked' : '');
