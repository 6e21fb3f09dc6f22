import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { timelineOf } from './notification-world.js';
import { BROWSER, type MailTrial, openMailTrial, TARGET, visit } from './tracked-mail.js';

let mails: MailTrial;
const aMail: MailTrial['aMail'] = (type) => mails.aMail(type);
const doneWith: MailTrial['doneWith'] = (mail) => mails.doneWith(mail);
const statusOf: MailTrial['statusOf'] = (mail) => mails.statusOf(mail);
const preferencesOf: MailTrial['preferencesOf'] = (mail) => mails.preferencesOf(mail);

beforeAll(async () => {
  mails = await openMailTrial();
});
afterAll(() => mails.close());

describe('a mail', () => {
  it('is OPENED when its pixel is loaded, CLICKED when its link is followed, which leads where it led', async () => {
    const mail = await aMail();
    const pixel = await visit(mail.links.open);
    expect([pixel.status, pixel.headers.get('content-type'), pixel.headers.get('cache-control')]).toEqual([
      200,
      'image/gif',
      'no-store, private',
    ]);
    expect(
      Buffer.from(await pixel.arrayBuffer())
        .subarray(0, 6)
        .toString(),
    ).toBe('GIF89a');
    expect(await statusOf(mail)).toBe('OPENED');
    const click = await visit(mail.links.click);
    expect([click.status, click.headers.get('location')]).toEqual([302, TARGET]);
    expect(await statusOf(mail)).toBe('CLICKED');
    expect((await timelineOf(mails.world, mail.deliveryId)).slice(-4)).toEqual([
      'SENT',
      'DELIVERED',
      'OPENED',
      'CLICKED',
    ]);
    expect(await doneWith(mail)).toEqual([
      { event: 'OPENED', user_agent: BROWSER },
      { event: 'CLICKED', url: TARGET, user_agent: BROWSER },
    ]);
  });

  it('names the document’s parameters in its links', async () => {
    const { notificationId, deliveryId, links } = await aMail();
    for (const [link, path] of [
      [links.open, '/mail/open'],
      [links.click, '/mail/click'],
      [links.unsubscribe, '/mail/unsubscribe'],
    ] as const) {
      const url = new URL(link);
      expect(url.pathname).toBe(path);
      expect(url.searchParams.get('nid')).toBe(notificationId);
      expect(url.searchParams.get('d')).toBe(deliveryId);
      expect(Number(url.searchParams.get('t'))).toBeCloseTo(mails.clock.now() / 1000 - 10, -1);
    }
    expect(new URL(links.click).searchParams.get('url')).toBe(TARGET);
  });

  it('is clicked without having been opened, and opened later for the first time', async () => {
    const mail = await aMail();
    await visit(mail.links.click);
    await visit(mail.links.open);
    await visit(mail.links.open);
    expect(await statusOf(mail)).toBe('CLICKED');
    expect((await doneWith(mail)).map(({ event }) => event)).toEqual(['CLICKED', 'OPENED']);
  });

  it('is neither opened nor clicked by HEAD, which answers the same', async () => {
    const mail = await aMail();
    const open = await visit(mail.links.open, { method: 'HEAD' });
    expect([open.status, open.headers.get('content-type')]).toEqual([200, 'image/gif']);
    const click = await visit(mail.links.click, { method: 'HEAD' });
    expect([click.status, click.headers.get('location')]).toEqual([302, TARGET]);
    expect((await visit(mail.links.unsubscribe, { method: 'HEAD' })).status).toBe(200);
    expect(await doneWith(mail)).toEqual([]);
  });

  it('shows a pixel that is none of ours, and records nothing', async () => {
    const mail = await aMail();
    for (const link of [mail.links.open.replace(/s=./, 's=_'), `${mails.api.url}/mail/open`]) {
      const open = await visit(link);
      expect([open.status, open.headers.get('content-type')]).toEqual([200, 'image/gif']);
    }
    expect(await doneWith(mail)).toEqual([]);
  });

  it.each<[string, Record<string, string>]>([
    ['Apple’s privacy relay', { 'user-agent': 'Mozilla/5.0' }],
    [
      'Google’s image proxy',
      {
        'user-agent':
          'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
      },
    ],
    ['Yahoo’s', { 'user-agent': 'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html' }],
    ['a link scanner', { 'user-agent': 'BarracudaCentral/1.0' }],
    ['a program', { 'user-agent': 'curl/8.9.1' }],
    ['a browser that fetches ahead', { 'sec-purpose': 'prefetch;prerender' }],
  ])('keeps its status when %s comes, and counts its first reader as the first', async (_name, headers) => {
    const mail = await aMail();
    expect((await visit(mail.links.open, { headers })).status).toBe(200);
    const click = await visit(mail.links.click, { headers });
    expect([click.status, click.headers.get('location')]).toEqual([302, TARGET]);
    expect(await statusOf(mail)).toBe('SENT');
    expect(await doneWith(mail)).toMatchObject([
      { event: 'OPENED', suspected_bot: true },
      { event: 'CLICKED', suspected_bot: true, url: TARGET },
    ]);
    await visit(mail.links.open);
    expect(await statusOf(mail)).toBe('OPENED');
    expect((await doneWith(mail)).at(-1)).toEqual({ event: 'OPENED', user_agent: BROWSER });
  });

  it('was read by no person within two seconds of sending', async () => {
    const mail = await aMail();
    mails.clock.forward(-8.5);
    await visit(mail.links.open);
    expect(await statusOf(mail)).toBe('SENT');
    mails.clock.forward(1);
    await visit(mail.links.open);
    expect(await statusOf(mail)).toBe('OPENED');
    mails.clock.forward(7.5);
  });

  it('counts what is done with it in the metrics', async () => {
    const mail = await aMail();
    const count = async (bot: string) => {
      const { values } = await mails.world.metrics.getSingleMetric('notification_engagement_total')!.get();
      return (
        values.find(({ labels }) => labels.event === 'OPENED' && labels.suspected_bot === bot)?.value ?? 0
      );
    };
    const [people, bots] = [await count('false'), await count('true')];
    await visit(mail.links.open, { headers: { 'user-agent': 'curl/8' } });
    await visit(mail.links.open);
    expect([await count('false'), await count('true')]).toEqual([people + 1, bots + 1]);
  });
});

describe('a link that is not ours', () => {
  it.each<[string, (url: URL) => void, number, string]>([
    [
      'another target',
      (url) => url.searchParams.set('url', 'https://evil.example'),
      403,
      'SIGNATURE_REFUSED',
    ],
    [
      'a target beside ours',
      (url) => url.searchParams.append('url', 'https://evil.example'),
      400,
      'LINK_MALFORMED',
    ],
    ['no signature', (url) => url.searchParams.delete('s'), 400, 'LINK_MALFORMED'],
    ['an empty signature', (url) => url.searchParams.set('s', ''), 403, 'SIGNATURE_REFUSED'],
    ['no target', (url) => url.searchParams.delete('url'), 400, 'LINK_MALFORMED'],
    ['another delivery', (url) => url.searchParams.set('d', crypto.randomUUID()), 403, 'SIGNATURE_REFUSED'],
    [
      'a script for a target',
      (url) => url.searchParams.set('url', 'javascript:alert(1)'),
      403,
      'SIGNATURE_REFUSED',
    ],
  ])('leads nowhere: %s', async (_name, change, status, code) => {
    const mail = await aMail();
    const url = new URL(mail.links.click);
    change(url);
    const answer = await visit(url.href);
    expect([answer.status, answer.headers.get('location')]).toEqual([status, null]);
    expect(await answer.json()).toMatchObject({ error: { code } });
    expect(await doneWith(mail)).toEqual([]);
  });

  it('is a pixel’s, an unsubscription’s or an opened mail’s signature on a click', async () => {
    const mail = await aMail();
    const opened = new URL(mail.links.open);
    opened.pathname = opened.pathname.replace('open', 'click');
    opened.searchParams.set('url', TARGET);
    expect((await visit(opened.href)).status).toBe(403);
    const unsubscribing = mail.links.open.replace('/open?', '/unsubscribe?');
    expect((await visit(unsubscribing, { method: 'POST' })).status).toBe(403);
    expect(await preferencesOf(mail)).toEqual([]);
  });

  it('may carry what mail systems add to every link', async () => {
    const mail = await aMail();
    expect((await visit(`${mail.links.click}&utm_source=x`)).headers.get('location')).toBe(TARGET);
  });
});
