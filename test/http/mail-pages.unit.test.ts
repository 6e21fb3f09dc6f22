import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeTemplates } from '../../src/demo/templates.js';
import { NOTICE_TYPES } from '../../src/domains/feed/engagement/notices/notices.js';
import { channels, documentedTypes } from '../../src/domains/notifications/types.js';
import { escapeHtml, languageOf } from '../../src/http/mail-page.js';
import { mailPageTexts, nameOfType } from '../../src/http/mail-page-texts.js';
import { pairOf, readPreferenceForm } from '../../src/http/preference-form.js';

/** Every text, by where it is. */
function textsIn(part: object, at = ''): [string, unknown][] {
  return Object.entries(part).flatMap(([name, value]): [string, unknown][] =>
    typeof value === 'object' && value !== null
      ? textsIn(value, `${at}.${name}`)
      : [[`${at}.${name}`, value]],
  );
}

describe('the pages behind links in mails', () => {
  it('have every text in every language, and a name for every type of the document and of the feed', () => {
    const [first, ...others] = Object.values(mailPageTexts).map((texts) => textsIn(texts));
    expect(others.length).toBeGreaterThan(0);
    for (const texts of others) expect(texts.map(([at]) => at)).toEqual(first!.map(([at]) => at));
    for (const [language, texts] of Object.entries(mailPageTexts)) {
      for (const [at, text] of textsIn(texts)) expect(text, `${language}${at}`).toMatch(/\p{L}/u);
      for (const type of [...documentedTypes, ...NOTICE_TYPES])
        expect(texts.types, language).toHaveProperty(type);
    }
  });

  it('are in every language that demo data has texts in', () => {
    const languages = new Set(makeTemplates().map(({ language }) => language.split('-')[0]!));
    expect(Object.keys(mailPageTexts)).toEqual(expect.arrayContaining([...languages]));
  });

  it('name other types by their code', () => {
    expect(nameOfType(mailPageTexts.de, 'NEW_OFFER')).toBe('New offer');
    expect(nameOfType(mailPageTexts.de, 'constructor')).toBe('Constructor');
    expect(nameOfType(mailPageTexts.de, 'POST_LIKED')).toBe('Reaktionen auf deine Beiträge');
  });

  it.each<[string | null, string | undefined, string]>([
    ['de', 'en', 'de'],
    ['pt-BR', 'en', 'pt'],
    [null, 'de-AT, en;q=0.5', 'de'],
    [null, 'fr, *;q=0.1', 'en'],
    [null, 'fr', 'en'],
    [null, '', 'en'],
    [null, undefined, 'en'],
    [null, 'en;q=0, de;q=0.1', 'de'],
    ['constructor', 'pt', 'pt'],
    ['fr', 'de', 'de'],
  ])('for %s and a browser that accepts %s are in %s', (preferred, accepted, expected) => {
    const headers = accepted === undefined ? {} : { 'accept-language': accepted };
    expect(languageOf({ headers }, preferred)).toBe(expected);
  });

  it('show text as text', () => {
    expect(escapeHtml(`<a href="x">&'`)).toBe('&#60;a href=&#34;x&#34;&#62;&#38;&#39;');
  });
});

describe('a form of preferences', () => {
  const pairs = fc.uniqueArray(
    fc.record({
      channel: fc.constantFrom(...channels),
      notificationType: fc.string({ minLength: 1, maxLength: 64, unit: 'grapheme' }),
      shown: fc.boolean(),
      chosen: fc.boolean(),
    }),
    { selector: pairOf, maxLength: 30 },
  );

  it('changes exactly what is chosen otherwise than it was shown', () => {
    fc.assert(
      fc.property(pairs, fc.boolean(), fc.boolean(), (all, shown, chosen) => {
        const form = new URLSearchParams();
        for (const pair of all) {
          form.append('shown', `${pair.shown ? 'on' : 'off'}/${pairOf(pair)}`);
          if (pair.chosen) form.append('on', pairOf(pair));
        }
        form.set('shown_marketing', shown ? 'on' : 'off');
        if (chosen) form.set('marketing', 'on');
        const changed = all.filter((pair) => pair.shown !== pair.chosen);
        expect(readPreferenceForm(form.toString())).toEqual({
          ok: true,
          value: {
            preferences: changed.map((pair) => ({
              channel: pair.channel,
              notificationType: pair.notificationType,
              enabled: pair.chosen,
            })),
            ...(shown !== chosen && { marketingOptIn: chosen }),
          },
        });
      }),
    );
  });

  it('that is none changes nothing, and never fails', () => {
    expect(readPreferenceForm('')).toEqual({ ok: true, value: { preferences: [] } });
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = readPreferenceForm(text);
        expect(!read.ok || read.value.preferences.length === 0 || text.includes('shown')).toBe(true);
      }),
    );
  });
});
