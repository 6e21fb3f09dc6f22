import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql as choices } from '../../src/domains/notifications/preference-centre/choices.sql.js';
import { costOf } from '../feed/statement-cost.js';
import { filledIn } from './mail-form.js';
import { unique } from './notification-world.js';
import { chosenBy, linkIn, openPage, post, sendTo, set, settingsOf } from './preference-page-world.js';
import { type MailTrial, openMailTrial, visit } from './tracked-mail.js';

let mails: MailTrial;
beforeAll(async () => {
  mails = await openMailTrial();
});
afterAll(() => mails.close());

describe('the page of preferences behind the link of a mail', () => {
  it('changes what a person changed and nothing else, and says that it is saved', async () => {
    const mail = await mails.aMail('NEW_OFFER');
    await sendTo(mails, mail, 'NEW_FOLLOWER', 'push');
    await sendTo(mails, mail, 'NEW_FOLLOWER', 'sms');
    const url = await linkIn(mail);
    const { answer, page } = await openPage(url);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.boxes).toMatchObject({
      'New offer: E-mail': { isChecked: true },
      'New followers: Push message': { isChecked: true },
      'New followers: Text message': { isChecked: true },
      'Offers and recommendations': { isChecked: true },
    });
    // Where nothing was changed nothing is written.
    expect((await post(url, filledIn(page, {}))).status).toBe(303);
    expect(await chosenBy(mails, mail)).toEqual({});

    const form = filledIn(
      page,
      { 'New followers: Text message': false, 'Offers and recommendations': false },
      { digest: 'daily' },
    );
    const saved = await post(url, form);
    expect(saved.status).toBe(303);
    const { page: after } = await openPage(new URL(saved.headers.get('location')!, url).href);
    expect(after.text).toContain('Your choices are saved.');
    expect(after.boxes).toMatchObject({
      'New offer: E-mail': { isChecked: true },
      'New followers: Push message': { isChecked: true },
      'New followers: Text message': { isChecked: false },
      'Offers and recommendations': { isChecked: false },
    });
    expect(await chosenBy(mails, mail)).toEqual({ 'NEW_FOLLOWER/sms': false });
    expect(await settingsOf(mails, mail)).toMatchObject({ marketingOptIn: false, digestFrequency: 'daily' });
    expect(await mails.world.notifications.effectiveChannels(mail.userId, 'NEW_FOLLOWER')).not.toContain(
      'sms',
    );

    // On again, from the page as it is now; and the former page, posted once more, undoes only what it changed.
    const again = filledIn(after, { 'New followers: Text message': true, 'New offer: E-mail': false });
    expect((await post(url, again)).status).toBe(303);
    expect(await chosenBy(mails, mail)).toEqual({ 'NEW_FOLLOWER/sms': true, 'NEW_OFFER/email': false });
    expect((await post(url, form)).status).toBe(303);
    expect(await chosenBy(mails, mail)).toEqual({ 'NEW_FOLLOWER/sms': false, 'NEW_OFFER/email': false });
    // Nothing of this is tracked.
    expect(await mails.doneWith(mail)).toEqual([]);
  });

  it('says what a summary that is off means, where one is', async () => {
    const mail = await mails.aMail('NEW_OFFER');
    const url = await linkIn(mail);
    const hint = 'Where that is off above, you get neither';
    expect((await openPage(url)).page.text).not.toContain(hint);
    for (const enabled of [false, true]) {
      const preference = { notificationType: 'DIGEST', channel: 'email' as const, enabled };
      expect((await mails.world.notifications.setPreferences(mail.userId, [preference])).ok).toBe(true);
      const { page } = await openPage(url);
      expect(page.boxes).toMatchObject({ 'Summary of what has gathered: E-mail': { isChecked: enabled } });
      expect(page.text.includes(hint)).toBe(!enabled);
    }
  });

  it('is never changed by opening it, however often, and by no method but POST', async () => {
    const mail = await mails.aMail();
    const url = await linkIn(mail);
    const { page } = await openPage(url);
    const form = filledIn(page, { 'Offers and recommendations': false });
    expect((await visit(`${url}&${form}`)).status).toBe(200);
    expect((await visit(url, { method: 'HEAD' })).status).toBe(200);
    expect(await settingsOf(mails, mail)).toMatchObject({ marketingOptIn: true });
    expect(await chosenBy(mails, mail)).toEqual({});
  });

  it('is in the language that its reader has set, else in their browser’s, else in English', async () => {
    const mail = await mails.aMail();
    const url = await linkIn(mail);
    const languages = async (accepted?: string) => {
      const headers = accepted === undefined ? {} : { 'accept-language': accepted };
      const seen = await Promise.all(
        [url, mail.links.unsubscribe].map(async (one) => (await openPage(one, { headers })).page.language),
      );
      expect(new Set(seen).size).toBe(1);
      return seen[0];
    };
    expect(await languages()).toBe('en');
    expect(await languages('fr, de-AT;q=0.9, en;q=0.5')).toBe('de');
    expect(await languages('fr')).toBe('en');
    await set(mails, mail, { language: 'pt-BR' });
    expect(await languages('de')).toBe('pt');
    await set(mails, mail, { language: 'fr' });
    expect(await languages('de')).toBe('de');
  });

  it('shows types that protect the account, and switches none of them off', async () => {
    const mail = await mails.aMail();
    await sendTo(mails, mail, 'PASSWORD_RESET', 'email');
    const url = await linkIn(mail);
    const { page } = await openPage(url);
    expect(page.text).toContain('Password resets: E-mail');
    expect(Object.keys(page.boxes).filter((label) => label.includes('Password'))).toEqual([]);
    const form = filledIn(page, { 'Offers and recommendations': false });
    form.append('shown', 'on/email/PASSWORD_RESET');
    const refused = await openPage(url, { method: 'POST', body: form });
    expect(refused.answer.status).toBe(400);
    expect(refused.page.text).toContain('load it again');
    expect(await chosenBy(mails, mail)).toEqual({});
    expect(await settingsOf(mails, mail)).toMatchObject({ marketingOptIn: true });
  });

  it('works without scripts and loads nothing; nobody keeps it, frames it or learns its address', async () => {
    const mail = await mails.aMail();
    const url = await linkIn(mail);
    for (const one of [url, mail.links.unsubscribe]) {
      const { answer, page } = await openPage(one);
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
    const { page } = await openPage(url);
    expect(page.elements.filter(({ tag }) => tag === 'b')).toEqual([]);
    const [label] = Object.keys(page.boxes).filter((name) => name.startsWith('<b>'));
    expect((await post(url, filledIn(page, { [label!]: true }))).status).toBe(303);
    expect(await chosenBy(mails, mail)).toEqual({ [`${type}/email`]: true });
  });

  it('has 50 types at most, those that were sent last among them', async () => {
    const mail = await mails.aMail('LAST_SENT');
    const stored = Array.from({ length: 190 }, (_, n) => ({
      notificationType: `TYPE_${n}`,
      channel: 'push' as const,
      enabled: false,
    }));
    expect((await mails.world.notifications.setPreferences(mail.userId, stored)).ok).toBe(true);
    const { page } = await openPage(await linkIn(mail));
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
});
