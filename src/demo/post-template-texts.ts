import { APP, type NotificationKind, optional, text } from './notification-kind.js';

/** A post of nothing but pictures has none. */
const excerpt = optional('…');
const POST = `${APP}/posts/{{post_id}}`;

/** What people are notified of: reactions to their own posts, posts of close friends, and posts that mention them. */
export const postKinds: readonly NotificationKind[] = [
  personDid('POST_LIKED', 'reacted to your post', 'See the post', 'actors'),
  personDid('POST_COMMENTED', 'commented on your post', 'See the conversation'),
  personDid('POST_SHARED', 'shared your post'),
  {
    type: 'NEW_POST',
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
  personDid('USER_MENTIONED', 'mentioned you'),
];

/** Somebody did something about a post; `actors` where it may be about several. */
function personDid(
  type: string,
  deed: string,
  button = 'See the post',
  who: 'person' | 'actors' = 'person',
): NotificationKind {
  const sentence = `{{${who}}} ${deed}`;
  return {
    type,
    variables: { [who]: text, post_id: text, excerpt },
    actionUrl: POST,
    texts: {
      en: {
        title: sentence,
        body: '“{{excerpt}}”',
        sms: `${sentence}: {{excerpt}}`,
        subject: sentence,
        mail: [`${sentence}:`, '“{{excerpt}}”'],
        button,
      },
    },
  };
}
