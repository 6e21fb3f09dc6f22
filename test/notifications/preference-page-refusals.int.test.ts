import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPreferenceCentre } from '../../src/domains/notifications/preference-centre/index.js';
import { createLinks } from '../../src/domains/notifications/tracking/links.js';
import { openPostgres } from '../../src/platform/postgres/postgres.js';
import { mortal } from './mortal-postgres.js';
import { chosenBy, linkIn, openPage, post, set, settingsOf } from './preference-page-world.js';
import { type MailTrial, openMailTrial, TRACK_URL, trackSecret, visit } from './tracked-mail.js';
import { openApi } from './with-api.js';

let mails: MailTrial;
beforeAll(async () => {
  mails = await openMailTrial();
});
afterAll(() => mails.close());

describe('the page of preferences behind the link of a mail', () => {
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
        const { answer, page } = await openPage(wrong, { ...init, headers: { 'accept-language': 'de' } });
        expect([answer.status, page.language, page.text]).toEqual([
          status,
          'de',
          expect.stringContaining('Link'),
        ]);
      }
    }
    expect(await settingsOf(mails, mail)).toMatchObject({ marketingOptIn: true });
  });

  it('of a mail that is deleted since, is a page that says so', async () => {
    const mail = await mails.aMail();
    const url = await linkIn(mail);
    await mails.world.postgres.query('DELETE FROM deliveries WHERE delivery_id = $1', [mail.deliveryId]);
    const { answer, page } = await openPage(url);
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
    expect(await settingsOf(mails, mail)).toMatchObject({
      marketingOptIn: true,
      digestFrequency: 'realtime',
    });
    expect(await chosenBy(mails, mail)).toEqual({});
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
      const { answer, page } = await openPage(url.replace(mails.api.url, api.url), init);
      expect([answer.status, answer.headers.get('retry-after'), page.text]).toEqual([
        503,
        '2',
        expect.stringContaining('try again'),
      ]);
    }
    expect((await visit(mail.links.unsubscribe.replace(mails.api.url, api.url))).status).toBe(200);
    await api.close();
    await postgres.close();
    expect(await settingsOf(mails, mail)).toMatchObject({ marketingOptIn: true });
  });

  it.each(['before', 'after'] as const)(
    'killed %s any statement of a form has changed all of it or nothing',
    async (when) => {
      const links = createLinks({ trackUrl: TRACK_URL, secret: trackSecret });
      let isChanged = false;
      for (let at = 0; !isChanged; at += 1) {
        const mail = await mails.aMail('NEW_OFFER');
        const { changePreferences } = createPreferenceCentre({
          postgres: mortal(mails.world.postgres, when, at),
          ...{
            clock: mails.clock,
            links,
            freshness: { userChanged: async () => undefined, templatesChanged: async () => undefined },
          },
        });
        const query = Object.fromEntries(new URL(await linkIn(mail)).searchParams);
        const off = { notificationType: 'NEW_OFFER', channel: 'email', enabled: false } as const;
        const change = { marketingOptIn: false, preferences: [off] };
        isChanged = await changePreferences(query, change).then(
          ({ ok }) => ok,
          () => false,
        );
        const { marketingOptIn } = await settingsOf(mails, mail);
        const chosen = await chosenBy(mails, mail);
        expect([
          { marketingOptIn: true, chosen: {} },
          { marketingOptIn: false, chosen: { 'NEW_OFFER/email': false } },
        ]).toContainEqual({ marketingOptIn, chosen });
        if (isChanged) expect(marketingOptIn).toBe(false);
      }
    },
  );

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
    await set(mails, mail, { language: 'de' });
    const asked = await openPage(mail.links.unsubscribe);
    expect(asked.page.text).toContain('Abbestellen');
    const form = new URLSearchParams([
      ...asked.page.fields.map(([name, value]): [string, string] => [name, value]),
      ['confirm', '1'],
    ]);
    const { answer, page } = await openPage(mail.links.unsubscribe, { method: 'POST', body: form });
    expect([answer.status, page.language, page.text]).toEqual([
      200,
      'de',
      expect.stringContaining('Abbestellt'),
    ]);
    const href = page.elements.find(({ tag }) => tag === 'a')!.attributes.href!;
    const { page: preferences } = await openPage(new URL(href, mail.links.unsubscribe).href);
    expect(preferences.boxes['Wöchentliche Zusammenfassung: E-Mail']).toMatchObject({ isChecked: false });
  });
});
