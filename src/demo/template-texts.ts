import type { NotificationKind } from './notification-kind.js';
import { german, portuguese } from './template-translations.js';

const text = { type: 'string', required: true } as const;
const number = { type: 'number', required: true } as const;
const optional = (value: string | number) =>
  ({ type: typeof value === 'number' ? 'number' : 'string', required: false, default: value }) as const;
const APP = 'https://app.example.com';

export const kinds: readonly NotificationKind[] = [
  {
    type: 'VERIFICATION_CODE',
    slug: 'verification-code',
    variables: { code: text, minutes: optional(10) },
    actionUrl: `${APP}/verify`,
    texts: {
      en: {
        title: 'Your code is {{code}}',
        body: 'Enter {{code}} to sign in. It works for {{minutes}} minutes.',
        sms: '{{code}} is your code. It works for {{minutes}} minutes. Never share it.',
        subject: '{{code}} is your verification code',
        mail: [
          'Enter this code to sign in: {{code}}',
          'It works for {{minutes}} minutes. If you did not ask for it, ignore this mail.',
        ],
        button: 'Enter the code',
      },
      de: german.verificationCode,
      pt: portuguese.verificationCode,
    },
  },
  {
    type: 'SECURITY_ALERT',
    slug: 'security-alert',
    variables: { device: text, place: optional('an unknown place') },
    actionUrl: `${APP}/security`,
    texts: {
      en: {
        title: 'New sign-in to your account',
        body: '{{device}} signed in from {{place}}. Was it you?',
        sms: 'New sign-in from {{device}}, {{place}}. Not you? Secure your account in the app.',
        subject: 'New sign-in from {{device}}',
        mail: [
          'Your account was opened on {{device}} in {{place}}.',
          'If it was you, there is nothing to do. If not, change your password now.',
        ],
        button: 'Check my account',
      },
      de: german.securityAlert,
      pt: portuguese.securityAlert,
    },
  },
  {
    type: 'PAYMENT_FAILED',
    slug: 'payment-failed',
    variables: { amount: text, reason: optional('your bank declined it') },
    actionUrl: `${APP}/billing`,
    texts: {
      en: {
        title: 'Payment did not go through',
        body: 'We could not collect {{amount}}: {{reason}}.',
        sms: 'Your payment of {{amount}} failed: {{reason}}. Please update your card.',
        subject: 'Your payment of {{amount}} failed',
        mail: [
          'We could not collect {{amount}}: {{reason}}.',
          'Please check your card. We try again in three days.',
        ],
        button: 'Update my card',
      },
    },
  },
  {
    type: 'PASSWORD_RESET',
    slug: 'password-reset',
    variables: { token: text, minutes: optional(30) },
    actionUrl: `${APP}/reset?token={{token}}`,
    texts: {
      en: {
        title: 'Reset your password',
        body: 'Tap to choose a new password within {{minutes}} minutes.',
        sms: `Choose a new password within {{minutes}} minutes: ${APP}/reset?token={{token}}`,
        subject: 'Choose a new password',
        mail: [
          'Somebody asked to reset your password.',
          'The link works for {{minutes}} minutes. If it was not you, ignore this mail.',
        ],
        button: 'Choose a new password',
      },
      de: german.passwordReset,
      pt: portuguese.passwordReset,
    },
  },
  {
    type: 'NEW_MESSAGE',
    slug: 'new-message',
    variables: { sender: text, preview: optional('Open the app to read it.'), thread_id: text },
    actionUrl: `${APP}/messages/{{thread_id}}`,
    texts: {
      en: {
        title: '{{sender}}',
        body: '{{preview}}',
        sms: '{{sender}} wrote to you: {{preview}}',
        subject: '{{sender}} sent you a message',
        mail: ['{{sender}} wrote:', '{{preview}}'],
        button: 'Reply',
      },
    },
  },
  {
    type: 'NEW_FOLLOWER',
    slug: 'new-follower',
    variables: { follower: text, follower_id: optional(''), followers: optional(1) },
    actionUrl: `${APP}/users/{{follower_id}}`,
    texts: {
      en: {
        title: 'New follower',
        body: '{{follower}} follows you now.',
        sms: '{{follower}} follows you now. Followers: {{followers}}',
        subject: '{{follower}} follows you now',
        mail: ['{{follower}} wants to see what you post.', 'Followers so far: {{followers}}'],
        button: 'See the profile',
      },
      de: german.newFollower,
      pt: portuguese.newFollower,
    },
  },
  {
    type: 'ORDER_SHIPPED',
    slug: 'order-shipped',
    variables: { order_id: text, carrier: optional('our carrier'), tracking_number: text },
    actionUrl: `${APP}/orders/{{order_id}}`,
    texts: {
      en: {
        title: 'Your order is on its way',
        body: 'Order {{order_id}} left with {{carrier}}.',
        sms: 'Order {{order_id}} is on its way with {{carrier}}. Tracking number: {{tracking_number}}',
        subject: 'Order {{order_id}} is on its way',
        mail: ['We handed order {{order_id}} to {{carrier}}.', 'Tracking number: {{tracking_number}}'],
        button: 'Track my order',
      },
      de: german.orderShipped,
      pt: portuguese.orderShipped,
    },
  },
  {
    type: 'COMMENT_REPLY',
    slug: 'comment-reply',
    variables: { author: text, excerpt: text, post_id: text },
    actionUrl: `${APP}/posts/{{post_id}}`,
    texts: {
      en: {
        title: '{{author}} replied',
        body: '“{{excerpt}}”',
        sms: '{{author}} replied to your comment: {{excerpt}}',
        subject: '{{author}} replied to your comment',
        mail: ['{{author}} replied to your comment:', '“{{excerpt}}”'],
        button: 'See the conversation',
      },
    },
  },
  {
    type: 'MARKETING_CAMPAIGN',
    slug: 'marketing-campaign',
    variables: { campaign_id: text, headline: text, offer: text, first_name: optional('there') },
    actionUrl: `${APP}/offers/{{campaign_id}}`,
    imageUrl: 'https://cdn.example.com/campaigns/{{campaign_id}}.jpg',
    texts: {
      en: {
        title: '{{headline}}',
        body: '{{offer}}',
        sms: '{{headline}}: {{offer}} Reply STOP to opt out.',
        subject: '{{headline}}',
        mail: ['Hi {{first_name}},', '{{offer}}'],
        button: 'See the offer',
      },
    },
  },
  {
    type: 'WEEKLY_DIGEST',
    slug: 'weekly-digest',
    variables: { first_name: optional('there'), posts: number, likes: optional(0), top_post: optional('') },
    actionUrl: `${APP}/digest`,
    texts: {
      en: {
        title: 'Your week in {{posts}} posts',
        body: 'The people you follow posted {{posts}} times. See what you missed.',
        sms: 'This week: {{posts}} new posts, {{likes}} likes for yours.',
        subject: 'Your week: {{posts}} new posts',
        mail: [
          'Hi {{first_name}},',
          'The people you follow posted {{posts}} times, and your posts got {{likes}} likes.',
          '{{top_post}}',
        ],
        button: 'Read the digest',
      },
      de: german.weeklyDigest,
      pt: portuguese.weeklyDigest,
    },
  },
  {
    type: 'RECOMMENDATION',
    slug: 'recommendation',
    variables: { item: text, item_id: text, because: optional('people like you enjoy it') },
    actionUrl: `${APP}/discover/{{item_id}}`,
    imageUrl: 'https://cdn.example.com/discover/{{item_id}}.jpg',
    texts: {
      en: {
        title: 'You may like {{item}}',
        body: 'Picked for you because {{because}}.',
        sms: 'You may like {{item}}, because {{because}}.',
        subject: 'Picked for you: {{item}}',
        mail: ['We think that you will like {{item}}, because {{because}}.'],
        button: 'Have a look',
      },
    },
  },
];
