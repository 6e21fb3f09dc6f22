import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql as choices } from '../../src/domains/notifications/preference-centre/choices.sql.js';
import { createPreferenceCentre } from '../../src/domains/notifications/preference-centre/index.js';
import type { SettingsChange } from '../../src/domains/notifications/preferences/settings.js';
import { createLinks } from '../../src/domains/notifications/tracking/links.js';
import { openPostgres } from '../../src/platform/postgres/postgres.js';
import { costOf } from '../feed/statement-cost.js';
import { filledIn, seePage } from './mail-form.js';
import { aRequest, aTemplate, shop, unique } from './notification-world.js';
import {
  attributeOf,
  type Init,
  type Mail,
  type MailTrial,
  openMailTrial,
  TRACK_URL,
  trackSecret,
  visit,
} from './tracked-mail.js';
import { openApi } from './with-api.js';

let mails: MailTrial;
beforeAll(async () => {
  mails = await openMailTrial();
});
afterAll(() => mails.close());

const settingsOf = ({ userId }: Mail) => mails.world.notifications.settings(userId);
const preferencesOf = async (mail: Mail) =>
  Object.fromEntries(
    (await mails.preferencesOf(mail)).map(({ notificationType, channel, enabled }) => [
      `${notificationType}/${channel}`,
      enabled,
    ]),
  );
async function set({ userId }: Mail, change: SettingsChange): Promise<void> {
  expect((await mails.world.notifications.updateSettings(userId, change)).ok).toBe(true);
}

/** Where the page that asks leads on to. */
async function linkIn(mail: Mail): Promise<string> {
  const html = await (await visit(mail.links.unsubscribe)).text();
  return new URL(attributeOf(html, 'a', 'href')!, mail.links.unsubscribe).href;
}

async function open(url: string, init: Init = {}) {
  const answer = await visit(url, init);
  return { answer, page: seePage(await answer.text()) };
}

const post = (url: string, body: URLSearchParams, init: Init = {}) =>
  visit(url, { method: 'POST', body, ...init });

/** Sends it to the mail's reader, so that they know the type. */
async function sendTo({ userId }: Mail, type: string, channel: 'push' | 'sms' | 'email'): Promise<void> {
  const templateId = await aTemplate(mails.world, channel, type, {
    body: 'Hello',
    ...(channel === 'email' && { subject: 'Hello' }),
  });
  const sent = await mails.world.notifications.send(
    shop,
    aRequest({ type, templateId, recipients: [{ userId, channels: [channel] }] }),
  );
  expect(sent.ok).toBe(true);
}

describe('the page of preferences behind the link of a mail', () => {
  it('changes what a person changed and nothing else, and says that it is saved', async () => {
    const mail = await mails.aMail('NEW_OFFER');
    await sendTo(mail, 'NEW_FOLLOWER', 'push');
    await sendTo(mail, 'NEW_FOLLOWER', 'sms');
    const url = await linkIn(mail);
    const { answer, page } = await open(url);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.boxes).toMatchObject({
      'New offer: E-mail': { isChecked: true },
      'New followers: Push message': { isChecked: true },
      'New followers: Text message': { isChecked: true },
      'Offers and recommendations': { isChecked: true },
    });
    // Where nothing was changed nothing is written.
    expect((await post(url, filledIn(page, {}))).status).toBe(303);
    expect(await preferencesOf(mail)).toEqual({});

    const form = filledIn(
      page,
      { 'New followers: Text message': false, 'Offers and recommendations': false },
      { digest: 'daily' },
    );
    const saved = await post(url, form);
    expect(saved.status).toBe(303);
    const { page: after } = await open(new URL(saved.headers.get('location')!, url).href);
    expect(after.text).toContain('Your choices are saved.');
    expect(after.boxes).toMatchObject({
      'New offer: E-mail': { isChecked: true },
      'New followers: Push message': { isChecked: true },
      'New followers: Text message': { isChecked: false },
      'Offers and recommendations': { isChecked: false },
    });
    expect(await preferencesOf(mail)).toEqual({ 'NEW_FOLLOWER/sms': false });
    expect(await settingsOf(mail)).toMatchObject({ marketingOptIn: false, digestFrequency: 'daily' });
    expect(await mails.world.notifications.effectiveChannels(mail.userId, 'NEW_FOLLOWER')).not.toContain(
      'sms',
    );

    // On again, from the page as it is now; and the former page, posted once more, undoes only what it changed.
    const again = filledIn(after, { 'New followers: Text message': true, 'New offer: E-mail': false });
    expect((await post(url, again)).status).toBe(303);
    expect(await preferencesOf(mail)).toEqual({ 'NEW_FOLLOWER/sms': true, 'NEW_OFFER/email': false });
    expect((await post(url, form)).status).toBe(303);
    expect(await preferencesOf(mail)).toEqual({ 'NEW_FOLLOWER/sms': false, 'NEW_OFFER/email': false });
    // Nothing of this is tracked.
    expect(await mails.doneWith(mail)).toEqual([]);
  });

  it('is never changed by opening it, however often, and by no method but POST', async () => {
    const mail = await mails.aMail();
    const url = await linkIn(mail);
    const { page } = await open(url);
    const form = filledIn(page, { 'Offers and recommendations': false });
    expect((await visit(`${url}&${form}`)).status).toBe(200);
    expect((await visit(url, { method: 'HEAD' })).status).toBe(200);
    expect(await settingsOf(mail)).toMatchObject({ marketingOptIn: true });
    expect(await preferencesOf(mail)).toEqual({});
  });

  it('is in the language that its reader has set, else in their browser’s, else in English', async () => {
    const mail = await mails.aMail();
    const url = await linkIn(mail);
    const languages = async (accepted?: string) => {
      const headers = accepted === undefined ? {} : { 'accept-language': accepted };
      const seen = await Promise.all(
        [url, mail.links.unsubscribe].map(async (one) => (await open(one, { headers })).page.language),
      );
      expect(new Set(seen).size).toBe(1);
      return seen[0];
    };
    expect(await languages()).toBe('en');
    expect(await languages('fr, de-AT;q=0.9, en;q=0.5')).toBe('de');
    expect(await languages('fr')).toBe('en');
    await set(mail, { language: 'pt-BR' });
    expect(await languages('de')).toBe('pt');
    await set(mail, { language: 'fr' });
    expect(await languages('de')).toBe('de');
  });

  it('shows types that protect the account, and switches none of them off', async () => {
    const mail = await mails.aMail();
    await sendTo(mail, 'PASSWORD_RESET', 'email');
    const url = await linkIn(mail);
    const { page } = await open(url);
    expect(page.text).toContain('Password resets: E-mail');
    expect(Object.keys(page.boxes).filter((label) => label.includes('Password'))).toEqual([]);
    const form = filledIn(page, { 'Offers and recommendations': false });
    form.append('shown', 'on/email/PASSWORD_RESET');
    const refused = await open(url, { method: 'POST', body: form });
    expect(refused.answer.status).toBe(400);
    expect(refused.page.text).toContain('load it again');
    expect(await preferencesOf(mail)).toEqual({});
    expect(await settingsOf(mail)).toMatchObject({ marketingOptIn: true });
  });

  it('works without scripts and loads nothing; nobody keeps it, frames it or learns its address', async () => {
    const mail = await mails.aMail();
    const url = await linkIn(mail);
    for (const one of [url, mail.links.unsubscribe]) {
      const { answer, page } = await open(one);
      const policy = answer.headers.get('content-security-policy')!;
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/script-src|unsafe|https?:/);
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('cache-control')).toBe('no-store, private');
      const loading = ['script', 'img', 'link', 'iframe', 'object', 'video', 'audio'];
      expect(page.elements.filter(({ tag }) => loading.includes(tag))).toEqual([]);
      expect(
        page.elements.filter(({ attributes }) =>
          Object.keys(attributes).some((name) => /^on|^style$/.test(name)),
        ),
      ).toEqual([]);
      const levels = page.elements.flatMap(({ tag }) => (/^h\d$/.test(tag) ? [tag] : []));
      expect([levels[0], levels.filter((tag) => tag === 'h1').length]).toEqual(['h1', 1]);
      // Whatever can be chosen has a label of its own.
      const choosable = page.elements.filter(
        ({ tag, attributes }) => tag === 'select' || attributes.type === 'checkbox',
      );
      const labels = page.elements.filter(({ tag, text }) => tag === 'label' && text !== '');
      expect(labels.length).toBe(choosable.length);
    }
  });

  it('shows what a type is called as text, whatever that is', async () => {
    const type = `<b>&"'${unique('x')}`;
    const mail = await mails.aMail();
    const stored = [{ notificationType: type, channel: 'email' as const, enabled: false }];
    expect((await mails.world.notifications.setPreferences(mail.userId, stored)).ok).toBe(true);
    const url = await linkIn(mail);
    const { page } = await open(url);
    expect(page.elements.filter(({ tag }) => tag === 'b')).toEqual([]);
    const [label] = Object.keys(page.boxes).filter((name) => name.startsWith('<b>'));
    expect((await post(url, filledIn(page, { [label!]: true }))).status).toBe(303);
    expect(await preferencesOf(mail)).toEqual({ [`${type}/email`]: true });
  });

  it('has 50 types at most, those that were sent last among them', async () => {
    const mail = await mails.aMail('LAST_SENT');
    const stored = Array.from({ length: 190 }, (_, n) => ({
      notificationType: `TYPE_${n}`,
      channel: 'push' as const,
      enabled: false,
    }));
    expect((await mails.world.notifications.setPreferences(mail.userId, stored)).ok).toBe(true);
    const { page } = await open(await linkIn(mail));
    expect(page.elements.filter(({ tag }) => tag === 'legend')).toHaveLength(51);
    expect(page.boxes['Last sent: E-mail']).toBeDefined();
  });

  it('costs the same however much was sent to its reader, and however many types there are', async () => {
    const { postgres } = mails.world;
    const mail = await mails.aMail();
    const sendMany = (count: number) =>
      postgres.query(
        `INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel, priority,
           status, max_retries, rendered_content, created_at)
         SELECT gen_random_uuid(), gen_random_uuid(), 'n', 'shop', $1, 'TYPE_' || n % 500, 'email', 'low', 'DELIVERED', 5, '{}',
           now() - n * interval '1 second'
         FROM generate_series(1, $2::int) AS n`,
        [mail.userId, count],
      );
    const cost = async () => {
      await postgres.query('ANALYZE deliveries');
      const values = [mail.userId, mail.type, 200, 1_000, ['push', 'sms', 'email', 'in_app'], 50];
      return (await costOf(postgres, choices.choicesOf, values)).blocks;
    };
    // At worst a block for each of 200 deliveries, and a look at four channels of 50 types.
    for (const count of [1_000, 20_000, 40_000]) {
      await sendMany(count);
      expect(await cost()).toBeLessThan(1_000);
    }
  });

  it('with a changed address, another mail’s or none, is a page that says so', async () => {
    const [mail, other] = [await mails.aMail(), await mails.aMail()];
    const url = await linkIn(mail);
    const changed = new URL(url);
    changed.searchParams.set('d', other.deliveryId);
    const cut = new URL(url);
    cut.searchParams.delete('s');
    // Signed for unsubscribing.
    const signedForElse = url.replace(/\?.*/, new URL(mail.links.unsubscribe).search);
    for (const [wrong, status] of [
      [changed.href, 403],
      [signedForElse, 403],
      [cut.href, 400],
      [`${mail.links.unsubscribe}x`, 403],
    ] as const) {
      for (const init of [{}, { method: 'POST', body: new URLSearchParams({ shown_marketing: 'on' }) }]) {
        const { answer, page } = await open(wrong, { ...init, headers: { 'accept-language': 'de' } });
        expect([answer.status, page.language, page.text]).toEqual([
          status,
          'de',
          expect.stringContaining('Link'),
        ]);
      }
    }
    expect(await settingsOf(mail)).toMatchObject({ marketingOptIn: true });
  });

  it('of a mail that is deleted since, is a page that says so', async () => {
    const mail = await mails.aMail();
    const url = await linkIn(mail);
    await mails.world.postgres.query('DELETE FROM deliveries WHERE delivery_id = $1', [mail.deliveryId]);
    const { answer, page } = await open(url);
    expect([answer.status, page.text]).toEqual([404, expect.stringContaining('so old')]);
    expect((await post(url, new URLSearchParams({ shown_marketing: 'on' }))).status).toBe(404);
  });

  it.each([
    ['a channel that there is not', 'shown=on/fax/NEW_OFFER'],
    ['a type that the person was not asked about', 'shown=on/email/SOMETHING_ELSE'],
    ['a choice that was not shown', 'on=email/NEW_OFFER'],
    ['a choice without a state', 'shown=email/NEW_OFFER'],
    ['a frequency that there is not', 'digest=never'],
    ['a NUL', 'shown=on/email/%00'],
  ])('refuses %s, and changes nothing', async (_, body) => {
    const mail = await mails.aMail();
    const url = await linkIn(mail);
    const answer = await post(url, new URLSearchParams(`${body}&shown_marketing=on`));
    expect(answer.status).toBe(400);
    expect(await settingsOf(mail)).toMatchObject({ marketingOptIn: true, digestFrequency: 'realtime' });
    expect(await preferencesOf(mail)).toEqual({});
  });

  it('while the database is away is a page that says so, and changes nothing', async () => {
    const mail = await mails.aMail();
    const url = await linkIn(mail);
    const at = 'postgres://postgres@127.0.0.1:1/none';
    const postgres = openPostgres(at, { max: 1, applicationName: 'test', onError: () => undefined });
    const changed = async (): Promise<void> => undefined;
    const preferenceCentre = createPreferenceCentre({
      postgres,
      clock: mails.clock,
      freshness: { userChanged: changed, templatesChanged: changed },
      links: createLinks({ trackUrl: TRACK_URL, secret: trackSecret }),
    });
    const api = await openApi({ ...mails.world.notifications, preferenceCentre }, mails.clock, { TRACK_URL });
    const form = new URLSearchParams({ shown_marketing: 'on' });
    for (const init of [{}, { method: 'POST', body: form }]) {
      const { answer, page } = await open(url.replace(mails.api.url, api.url), init);
      expect([answer.status, answer.headers.get('retry-after'), page.text]).toEqual([
        503,
        '2',
        expect.stringContaining('try again'),
      ]);
    }
    expect((await visit(mail.links.unsubscribe.replace(mails.api.url, api.url))).status).toBe(200);
    await api.close();
    await postgres.close();
    expect(await settingsOf(mail)).toMatchObject({ marketingOptIn: true });
  });

  it('takes no body but a form, and no long one', async () => {
    const url = await linkIn(await mails.aMail());
    const headers = { 'content-type': 'application/json' };
    expect((await visit(url, { method: 'POST', body: '{}', headers })).status).toBe(415);
    const long = new URLSearchParams({ shown: 'x'.repeat(70_000) });
    expect((await post(url, long)).status).toBe(413);
  });
});

describe('after unsubscribing by the page', () => {
  it('the preferences are a link away', async () => {
    const mail = await mails.aMail('WEEKLY_DIGEST');
    await set(mail, { language: 'de' });
    const asked = await open(mail.links.unsubscribe);
    expect(asked.page.text).toContain('Abbestellen');
    const form = new URLSearchParams([
      ...asked.page.fields.map(([name, value]): [string, string] => [name, value]),
      ['confirm', '1'],
    ]);
    const { answer, page } = await open(mail.links.unsubscribe, { method: 'POST', body: form });
    expect([answer.status, page.language, page.text]).toEqual([
      200,
      'de',
      expect.stringContaining('Abbestellt'),
    ]);
    const href = page.elements.find(({ tag }) => tag === 'a')!.attributes.href!;
    const { page: preferences } = await open(new URL(href, mail.links.unsubscribe).href);
    expect(preferences.boxes['Wöchentliche Zusammenfassung: E-Mail']).toMatchObject({ isChecked: false });
  });
});
