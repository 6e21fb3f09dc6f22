import { once } from 'node:events';
import { createServer } from 'node:net';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNotificationMetrics } from '../../src/domains/notifications/metrics.js';
import { createEngagementTracking } from '../../src/domains/notifications/tracking/engagement.js';
import { openPostgres } from '../../src/platform/postgres/postgres.js';
import { aRequest, aTemplate, shop } from './notification-world.js';
import {
  attributeOf,
  type Init,
  type MailTrial,
  openMailTrial,
  TARGET,
  TRACK_URL,
  trackSecret,
  visit,
} from './tracked-mail.js';
import { openApi } from './with-api.js';
import { silent } from './with-sandbox.js';

let mails: MailTrial;
const aMail: MailTrial['aMail'] = (type) => mails.aMail(type);
const doneWith: MailTrial['doneWith'] = (mail) => mails.doneWith(mail);
const statusOf: MailTrial['statusOf'] = (mail) => mails.statusOf(mail);
const preferencesOf: MailTrial['preferencesOf'] = (mail) => mails.preferencesOf(mail);

beforeAll(async () => {
  mails = await openMailTrial();
});
afterAll(() => mails.close());

describe('unsubscribing', () => {
  const oneClick = (url: string, init: Init = {}) =>
    visit(url, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }), ...init });

  it('takes one POST of the mail client (RFC 8058), and happens once however often that is repeated', async () => {
    const mail = await aMail();
    expect(mail.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    for (let i = 0; i < 3; i++) expect((await oneClick(mail.links.unsubscribe)).status).toBe(200);
    expect(await preferencesOf(mail)).toEqual([
      { notificationType: mail.type, channel: 'email', enabled: false },
    ]);
    expect(await doneWith(mail)).toEqual([{ event: 'UNSUBSCRIBED', via: 'one_click' }]);
    expect(await statusOf(mail)).toBe('DELIVERED');
  });

  it('is why later mails of the type are left out, until their reader switches them on', async () => {
    const mail = await aMail();
    const { notifications } = mails.world;
    const templateId = await aTemplate(mails.world, 'email', mail.type, { subject: 'Again', body: 'Again' });
    const recipients = [{ userId: mail.userId, channels: ['email' as const] }];
    const sendAgain = async () =>
      JSON.stringify(await notifications.send(shop, aRequest({ type: mail.type, templateId, recipients })));
    const choose = (enabled: boolean) =>
      notifications.setPreferences(mail.userId, [{ notificationType: mail.type, channel: 'email', enabled }]);
    await oneClick(mail.links.unsubscribe);
    expect(await sendAgain()).toContain('UNSUBSCRIBED');
    // As an app does that saves all of its form.
    await choose(false);
    expect(await sendAgain()).toContain('UNSUBSCRIBED');
    await choose(true);
    expect(await sendAgain()).toContain('"notificationsQueued":1');
    await choose(false);
    expect(await sendAgain()).toContain('CHANNEL_DISABLED');
  });

  it('takes a multipart form too', async () => {
    const mail = await aMail();
    const form = new FormData();
    form.set('List-Unsubscribe', 'One-Click');
    expect((await oneClick(mail.links.unsubscribe, { body: form })).status).toBe(200);
    expect(await doneWith(mail)).toEqual([{ event: 'UNSUBSCRIBED', via: 'one_click' }]);
  });

  it('asks the person who follows the link before anything changes', async () => {
    const mail = await aMail();
    const asked = await visit(mail.links.unsubscribe);
    expect([asked.status, asked.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const page = await asked.text();
    expect(attributeOf(page, 'form', 'method')).toBe('post');
    // No action: the form goes to the page's own address.
    expect(attributeOf(page, 'form', 'action')).toBeUndefined();
    expect(await preferencesOf(mail)).toEqual([]);
    const button = attributeOf(page, 'button', 'name')!;
    const fields = {
      [attributeOf(page, 'input', 'name')!]: attributeOf(page, 'input', 'value')!,
      [button]: '1',
    };
    const done = await oneClick(mail.links.unsubscribe, { body: new URLSearchParams(fields) });
    expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('Unsubscribed')]);
    expect(await preferencesOf(mail)).toMatchObject([{ channel: 'email', enabled: false }]);
    expect(await doneWith(mail)).toEqual([{ event: 'UNSUBSCRIBED', via: 'page' }]);
  });

  it('works again for somebody who wanted the mails back in between', async () => {
    const mail = await aMail();
    await oneClick(mail.links.unsubscribe);
    mails.clock.forward(60);
    await mails.world.notifications.setPreferences(mail.userId, [
      { notificationType: mail.type, channel: 'email', enabled: true },
    ]);
    mails.clock.forward(60);
    await oneClick(mail.links.unsubscribe);
    expect(await preferencesOf(mail)).toMatchObject([{ enabled: false }]);
    expect((await doneWith(mail)).length).toBe(1);
  });

  it('is refused with a changed address', async () => {
    const mail = await aMail();
    const other = new URL(mail.links.unsubscribe);
    other.searchParams.set('d', (await aMail()).deliveryId);
    expect((await oneClick(other.href)).status).toBe(403);
    expect((await visit(other.href)).status).toBe(403);
    expect(await preferencesOf(mail)).toEqual([]);
  });

  it('is not offered by mails that nobody may lose', async () => {
    const mail = await aMail('PASSWORD_RESET');
    expect(mail.links.unsubscribe).not.toContain('/unsubscribe');
    expect(mail.html).toContain('/click?');
  });
});

describe('while the database is away', () => {
  async function apiOn(databaseUrl: string) {
    const errors: unknown[] = [];
    const postgres = openPostgres(databaseUrl, { max: 2, applicationName: 'test', onError: () => undefined });
    const registry = new Registry();
    const logger = silent.child({}, { level: 'silent' });
    logger.warn = ((context: { err: unknown }) => errors.push(context.err)) as typeof logger.warn;
    const tracking = createEngagementTracking({
      ...{ postgres, clock: mails.clock, logger, trackUrl: TRACK_URL, trackSecret },
      metrics: createNotificationMetrics(registry, postgres),
      queues: mails.world.queues,
      wakeUps: { publish: async () => undefined },
      lifecycle: { publish: () => undefined },
      freshness: { userChanged: async () => undefined },
    });
    const away = await openApi({ ...mails.world.notifications, tracking }, mails.clock, { TRACK_URL });
    const lost = async () =>
      (await registry.getSingleMetric('notification_engagement_lost_total')!.get()).values.map(
        ({ labels, value }) => [labels.event, value],
      );
    const close = async () => {
      await away.close();
      await postgres.close();
    };
    return { at: (link: string) => link.replace(mails.api.url, away.url), lost, errors, close };
  }

  it('clicks lead on and pixels answer; what is lost is counted and logged, and unsubscribing says try again', async () => {
    const mail = await aMail();
    const away = await apiOn('postgres://postgres@127.0.0.1:1/none');
    const click = await visit(away.at(mail.links.click));
    expect([click.status, click.headers.get('location')]).toEqual([302, TARGET]);
    expect((await visit(away.at(mail.links.open))).status).toBe(200);
    expect(await away.lost()).toEqual([
      ['CLICKED', 1],
      ['OPENED', 1],
    ]);
    expect(away.errors.length).toBe(2);
    expect((await visit(away.at(mail.links.unsubscribe))).status).toBe(200);
    const post = await visit(away.at(mail.links.unsubscribe), { method: 'POST' });
    expect([post.status, await post.json()]).toMatchObject([503, { error: { code: 'SERVICE_UNAVAILABLE' } }]);
    await away.close();
    // The provider's mail client tries again, and it is done.
    expect((await visit(mail.links.unsubscribe, { method: 'POST' })).status).toBe(200);
    expect(await preferencesOf(mail)).toMatchObject([{ enabled: false }]);
  });

  it('a database that says nothing keeps no reader waiting', async () => {
    const mail = await aMail();
    const deaf = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(deaf, 'listening');
    const { port } = deaf.address() as { port: number };
    const away = await apiOn(`postgres://postgres@127.0.0.1:${port}/none`);
    const started = performance.now();
    expect((await visit(away.at(mail.links.click))).headers.get('location')).toBe(TARGET);
    expect(performance.now() - started).toBeLessThan(5_000);
    await away.close();
    deaf.close();
  });
});

describe('without a secret', () => {
  it('mails stay as they are, and there are no such routes', async () => {
    const plain = createEngagementTracking({
      ...{
        postgres: mails.world.postgres,
        clock: mails.clock,
        logger: silent,
        trackUrl: TRACK_URL,
        trackSecret: undefined,
      },
      metrics: createNotificationMetrics(new Registry(), mails.world.postgres),
      queues: mails.world.queues,
      wakeUps: { publish: async () => undefined },
      lifecycle: { publish: () => undefined },
      freshness: { userChanged: async () => undefined },
    });
    const untracked = await openApi({ ...mails.world.notifications, tracking: plain }, mails.clock, {
      TRACK_URL,
    });
    const mail = await aMail();
    for (const link of Object.values(mail.links)) {
      expect((await visit(link.replace(mails.api.url, untracked.url))).status).toBe(404);
    }
    await untracked.close();
  });
});
