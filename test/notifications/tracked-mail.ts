import { type DefaultTreeAdapterMap, parse } from 'parse5';
import {
  aRequest,
  aTemplate,
  aUser,
  deliveriesOf,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  unique,
  until,
} from './notification-world.js';
import { type ApiOnTest, openApi } from './with-api.js';
import { HeldClock, type SandboxTrial, tryWithSandbox } from './with-sandbox.js';

export const TRACK_URL = 'https://track.example.com/mail';
export const trackSecret = 'a secret for links, of 32 characters';
export const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
/** Where the link in every mail leads. */
export const TARGET = 'https://shop.example.com/orders?id=7&from=a%20b#top';

/** A mail as its provider got it. */
export interface Mail {
  readonly deliveryId: string;
  readonly notificationId: string;
  readonly userId: string;
  readonly type: string;
  readonly html: string;
  readonly headers: Record<string, string>;
  /** Our paths, as the api here answers them. */
  readonly links: { readonly click: string; readonly open: string; readonly unsubscribe: string };
}

/** Tracked mails that really go out, and the api that their links lead to. */
export interface MailTrial {
  readonly clock: HeldClock;
  readonly world: NotificationWorld;
  readonly api: ApiOnTest;
  /** Its reader comes 10 s after it was sent. */
  aMail(type?: string): Promise<Mail>;
  statusOf(mail: Mail): Promise<string>;
  /** What was done with a mail, with details. */
  doneWith(mail: Mail): Promise<{ readonly event: string }[]>;
  preferencesOf(
    mail: Mail,
  ): Promise<{ readonly notificationType: string; readonly channel: string; readonly enabled: boolean }[]>;
  close(): Promise<void>;
}

export async function openMailTrial(): Promise<MailTrial> {
  const clock = new HeldClock();
  const [world, trial] = await Promise.all([
    openNotificationWorld(clock, { quietHours: {}, trackSecret }, TRACK_URL),
    tryWithSandbox(),
  ]);
  const api = await openApi(world.notifications, clock, { TRACK_URL, ...trial.sandbox.environment });
  world.work({ providers: trial.providers(), random: () => 0 });
  const { notifications } = world;
  return {
    ...{ clock, world, api },
    aMail: (type = unique('MAIL')) => aMail({ clock, world, api, trial }, type),
    statusOf: async ({ deliveryId }) => (await notifications.deliveriesById([deliveryId]))[0]!.status,
    doneWith: async ({ deliveryId }) =>
      ((await notifications.timelines([deliveryId])).get(deliveryId) ?? [])
        .filter(({ event }) => ['OPENED', 'CLICKED', 'UNSUBSCRIBED'].includes(event))
        .map(({ event, detail }) => ({ event, ...detail })),
    preferencesOf: async ({ userId }) =>
      (await notifications.preferences(userId)).map(({ notificationType, channel, enabled }) => ({
        notificationType,
        channel,
        enabled,
      })),
    async close() {
      await api.close();
      await world.close();
      await trial.close();
    },
  };
}

async function aMail(
  { clock, world, api, trial }: Pick<MailTrial, 'clock' | 'world' | 'api'> & { trial: SandboxTrial },
  type: string,
): Promise<Mail> {
  const templateId = await aTemplate(world, 'email', type, {
    subject: 'Hi',
    body: 'Look at {{link}}',
    htmlBody: '<html><body><p>Hello <a class="b" href="{{link}}">{{name}}</a></p></body></html>',
  });
  const { userId } = await aUser(world);
  const request = aRequest({
    type,
    templateId,
    recipients: [{ userId, channels: ['email'], variables: { name: 'Ann', link: TARGET } }],
  });
  const sent = await world.notifications.send(shop, request);
  if (!sent.ok) throw new Error(JSON.stringify(sent.errors));
  const delivery = await until(async () => {
    const [found] = await deliveriesOf(world, request.notificationId);
    return found?.status === 'SENT' && found;
  });
  const [message] = await trial.received(`?channel=email&to=${userId}@example.com`);
  const body = message!.body as {
    headers: Record<string, string>;
    personalizations: { dynamic_template_data: { html_body: string } }[];
  };
  const html = body.personalizations[0]!.dynamic_template_data.html_body;
  clock.forward(10);
  const here = (link: string | undefined) => (link ?? '').replace('https://track.example.com', api.url);
  return {
    ...{ deliveryId: delivery.deliveryId, notificationId: request.notificationId, userId, type, html },
    headers: body.headers,
    links: {
      click: here(attributeOf(html, 'a', 'href')),
      open: here(attributeOf(html, 'img', 'src')),
      unsubscribe: here(/^<(.*)>$/.exec(body.headers['List-Unsubscribe'] ?? '')?.[1]),
    },
  };
}

type Node = DefaultTreeAdapterMap['node'];

/** Of the first such element. */
export function attributeOf(html: string, tag: string, name: string): string | undefined {
  const find = (node: Node): string | undefined => {
    const own = 'tagName' in node && node.tagName === tag && node.attrs.find((attr) => attr.name === name);
    if (own) return own.value;
    for (const child of 'childNodes' in node ? node.childNodes : []) {
      const found = find(child);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return find(parse(html));
}

export type Init = Omit<RequestInit, 'headers'> & { readonly headers?: Record<string, string> };
/** As a person's browser does. */
export const visit = (url: string, init: Init = {}) =>
  fetch(url, { redirect: 'manual', ...init, headers: { 'user-agent': BROWSER, ...init.headers } });
