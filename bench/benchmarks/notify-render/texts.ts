import type { TemplateText } from '../../../src/domains/notifications/templates/render.js';

/** Kinds of notification, each as a template and the variables of many recipients. */
export type Kind = 'push' | 'mail';

export type Variables = Readonly<Record<string, string | number>>;

/** So many recipients take turns. */
const RECIPIENTS = 1_000;

const none = { title: null, subject: null, htmlBody: null, imageUrl: null, actionUrl: null };
const text = { type: 'string', required: true } as const;

const push: TemplateText = {
  ...none,
  title: '{{sender}} wrote to you',
  body: '{{sender}}: {{preview}}',
  actionUrl: 'https://example.com/threads/{{thread_id}}',
  variables: { sender: text, preview: text, thread_id: text },
};

const row = (n: number): string =>
  `<tr><td style="padding:8px 0;border-bottom:1px solid #e5e5e5;font:14px/20px Arial,sans-serif;color:#333333">` +
  `{{item_${n}}}</td><td align="right" style="padding:8px 0;border-bottom:1px solid #e5e5e5">{{price_${n}}}</td></tr>`;

const mail: TemplateText = {
  ...none,
  subject: 'Your order {{order_id}} is on its way, {{name}}',
  body: 'Hello {{name}},\n\nyour order {{order_id}} has left us. Track it: {{tracking_url}}\n\n{{note}}\n\nThank you!',
  htmlBody: `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Order {{order_id}}</title>
<style>body { margin: 0; background: #f4f4f4 } a { color: #0b5cad }</style></head><body>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px">
<table role="presentation" width="600" style="background:#ffffff;border-radius:8px"><tr><td style="padding:32px">
<h1 style="margin:0 0 16px;font:bold 22px/28px Arial,sans-serif">On its way, {{name}}</h1>
<p style="font:16px/24px Arial,sans-serif">Your order <b>{{order_id}}</b> left our warehouse today. It takes
{{days}} days to {{city}}. {{note}}</p><table role="presentation" width="100%">
${[1, 2, 3, 4].map(row).join('\n')}
</table><p style="margin:24px 0"><a href="{{tracking_url}}" title="Order {{order_id}}"
style="background:#0b5cad;color:#ffffff;padding:12px 24px;border-radius:4px;text-decoration:none">Track it</a></p>
<p style="font:12px/18px Arial,sans-serif;color:#777777">You get this mail because you ordered at our shop. Questions?
Answer it, or write to us at any time. This is a longer line that every mail of this kind has at its end.</p>
</td></tr></table></td></tr></table></body></html>`,
  variables: {
    ...Object.fromEntries(
      ['name', 'order_id', 'tracking_url', 'city', 'item_1', 'item_2', 'price_1', 'price_2'].map((name) => [
        name,
        text,
      ]),
    ),
    days: { type: 'number', required: true },
    note: { type: 'string', required: false, default: 'Thank you & see you soon.' },
  },
};

export const templates: Readonly<Record<Kind, TemplateText>> = { push, mail };

/** What recipients have: a name in four and an item in two needs escaping. */
export const recipients: Readonly<Record<Kind, readonly Variables[]>> = {
  push: variablesOf((n) => ({
    sender: n % 4 === 0 ? `Ann & Bob ${n}` : `Christopher ${n}`,
    preview: `Are you coming to the party on the ${n % 28}th? Bring something to eat`,
    thread_id: `t-${n}`,
  })),
  mail: variablesOf((n) => ({
    name: n % 4 === 0 ? `Ann & Bob ${n}` : `Christopher ${n}`,
    order_id: `order-${n}`,
    tracking_url: `https://parcels.example.com/track/${n}?from=mail&lang=en`,
    city: 'Bremen',
    days: n % 5,
    item_1: `Mug "Good <morning>" ${n}`,
    price_1: '12.50',
    item_2: 'Coffee, 500 g',
    price_2: '9.90',
    item_3: n % 2 === 0 ? 'Filters' : '',
    price_3: n % 2 === 0 ? '3.20' : '',
  })),
};

function variablesOf(make: (n: number) => Variables): readonly Variables[] {
  return Array.from({ length: RECIPIENTS }, (_, n) => make(n));
}
