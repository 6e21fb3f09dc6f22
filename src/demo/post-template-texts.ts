import type { NotificationKind } from './notification-kind.js';

const text = { type: 'string', required: true } as const;
/** A post of nothing but pictures has none. */
const excerpt = { type: 'string', required: false, default: '…' } as const;
const POST = 'https://app.example.com/posts/{{post_id}}';

/** What people are notified of: reactions to their own posts, posts of close friends, and posts that mention them. */
export const postKinds: readonly NotificationKind[] = [
  {
    type: 'POST_LIKED',
    slug: 'post-liked',
    variables: { person: text, post_id: text, excerpt },
    actionUrl: POST,
    texts: {
      en: {
        title: '{{person}} reacted to your post',
        body: '“{{excerpt}}”',
        sms: '{{person}} reacted to your post: {{excerpt}}',
        subject: '{{person}} reacted to your post',
        mail: ['{{person}} reacted to your post:', '“{{excerpt}}”'],
        button: 'See the post',
      },
    },
  },
  {
    type: 'POST_COMMENTED',
    slug: 'post-commented',
    variables: { person: text, post_id: text, excerpt },
    actionUrl: POST,
    texts: {
      en: {
        title: '{{person}} commented on your post',
        body: '“{{excerpt}}”',
        sms: '{{person}} commented on your post: {{excerpt}}',
        subject: '{{person}} commented on your post',
        mail: ['{{person}} commented on your post:', '“{{excerpt}}”'],
        button: 'See the conversation',
      },
    },
  },
  {
    type: 'POST_SHARED',
    slug: 'post-shared',
    variables: { person: text, post_id: text, excerpt },
    actionUrl: POST,
    texts: {
      en: {
        title: '{{person}} shared your post',
        body: '“{{excerpt}}”',
        sms: '{{person}} shared your post: {{excerpt}}',
        subject: '{{person}} shared your post',
        mail: ['{{person}} shared your post:', '“{{excerpt}}”'],
        button: 'See the post',
      },
    },
  },
  {
    type: 'NEW_POST',
    slug: 'new-post',
    variables: { author: text, post_id: text, excerpt },
    actionUrl: POST,
    texts: {
      en: {
        title: '{{author}} posted',
        body: '{{excerpt}}',
        sms: '{{author}} posted: {{excerpt}}',
        subject: '{{author}} posted something new',
        mail: ['{{author}} posted:', '{{excerpt}}'],
        button: 'See the post',
      },
    },
  },
  {
    type: 'USER_MENTIONED',
    slug: 'user-mentioned',
    variables: { person: text, post_id: text, excerpt },
    actionUrl: POST,
    texts: {
      en: {
        title: '{{person}} mentioned you',
        body: '“{{excerpt}}”',
        sms: '{{person}} mentioned you: {{excerpt}}',
        subject: '{{person}} mentioned you',
        mail: ['{{person}} mentioned you:', '“{{excerpt}}”'],
        button: 'See the post',
      },
    },
  },
];
