import { APP, type NotificationKind, number, optional, text } from './notification-kind.js';

/** Liquid: a list of links, where there are any. */
const topPosts = (heading: string, like: string, likes: string): string =>
  `{% if top_posts.size > 0 %}<p>${heading}</p>
<ul>{% for post in top_posts limit: 5 %}
<li><a href="{{ post.url }}">{{ post.title }}</a>{% if post.likes > 0 %}, {{ post.likes }} {{ post.likes | pluralize: "${like}", "${likes}" }}{% endif %}</li>{% endfor %}
</ul>{% endif %}`;

/** Liquid: what a digest has gathered. */
const itemsOf = (more: string): string =>
  `<ul>{% for item in items %}
<li>{% if item.url != "" %}<a href="{{ item.url }}">{{ item.title }}</a>{% else %}{{ item.title }}{% endif %} {{ item.body }}</li>{% endfor %}
</ul>{% if more > 0 %}<p>${more}</p>{% endif %}`;

/** What people are notified of about others, orders, offers and what they missed. */
export const kinds: readonly NotificationKind[] = [
  {
    type: 'NEW_MESSAGE',
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
      de: {
        title: 'Neuer Follower',
        body: '{{follower}} folgt dir jetzt.',
        sms: '{{follower}} folgt dir jetzt. Follower: {{followers}}',
        subject: '{{follower}} folgt dir jetzt',
        mail: ['{{follower}} möchte sehen, was du schreibst.', 'Follower bisher: {{followers}}'],
        button: 'Profil ansehen',
      },
      pt: {
        title: 'Novo seguidor',
        body: '{{follower}} começou a seguir você.',
        sms: '{{follower}} começou a seguir você. Seguidores: {{followers}}',
        subject: '{{follower}} começou a seguir você',
        mail: ['{{follower}} quer ver o que você publica.', 'Seguidores até agora: {{followers}}'],
        button: 'Ver o perfil',
      },
    },
  },
  {
    type: 'ORDER_SHIPPED',
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
      de: {
        title: 'Deine Bestellung ist unterwegs',
        body: 'Bestellung {{order_id}} ist unterwegs ({{carrier}}).',
        sms: 'Bestellung {{order_id}} ist unterwegs. Sendungsnummer: {{tracking_number}}',
        subject: 'Bestellung {{order_id}} ist unterwegs',
        mail: [
          'Deine Bestellung {{order_id}} ist unterwegs ({{carrier}}).',
          'Sendungsnummer: {{tracking_number}}',
        ],
        button: 'Sendung verfolgen',
      },
      pt: {
        title: 'O seu pedido está a caminho',
        body: 'O pedido {{order_id}} já saiu ({{carrier}}).',
        sms: 'O pedido {{order_id}} está a caminho. Código de rastreio: {{tracking_number}}',
        subject: 'O pedido {{order_id}} está a caminho',
        mail: ['O seu pedido {{order_id}} já saiu ({{carrier}}).', 'Código de rastreio: {{tracking_number}}'],
        button: 'Acompanhar o pedido',
      },
    },
  },
  {
    type: 'COMMENT_REPLY',
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
    syntax: 'LIQUID',
    variables: {
      ...{ first_name: optional('there'), posts: number, likes: optional(0), top_post: optional('') },
      /** `title`, `url` and `likes` of each. */
      top_posts: { type: 'list', required: false },
    },
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
        list: topPosts('Most liked:', 'like', 'likes'),
        button: 'Read the digest',
      },
      de: {
        title: 'Deine Woche in {{posts}} Beiträgen',
        body: 'Wem du folgst, hat {{posts}} Beiträge geschrieben. Sieh nach, was du verpasst hast.',
        sms: 'Diese Woche: {{posts}} neue Beiträge, {{likes}} Likes für deine.',
        subject: 'Deine Woche: {{posts}} neue Beiträge',
        mail: [
          'Diese Woche gab es {{posts}} neue Beiträge, und deine bekamen {{likes}} Likes.',
          '{{top_post}}',
        ],
        list: topPosts('Am beliebtesten:', 'Like', 'Likes'),
        button: 'Rückblick lesen',
      },
      pt: {
        title: 'A sua semana em {{posts}} publicações',
        body: 'Quem você segue publicou {{posts}} vezes. Veja o que perdeu.',
        sms: 'Nesta semana: {{posts}} publicações novas, {{likes}} curtidas nas suas.',
        subject: 'A sua semana: {{posts}} publicações novas',
        mail: [
          'Nesta semana houve {{posts}} publicações novas, e as suas tiveram {{likes}} curtidas.',
          '{{top_post}}',
        ],
        list: topPosts('As mais curtidas:', 'curtida', 'curtidas'),
        button: 'Ler o resumo',
      },
    },
  },
  {
    type: 'DIGEST',
    syntax: 'LIQUID',
    variables: {
      ...{ count: number, summary: text, more: optional(0) },
      /** `title`, `body`, `url` and `at` of each. */
      items: { type: 'list', required: false },
    },
    actionUrl: `${APP}/notifications`,
    texts: {
      en: {
        title: '{{ count }} new notifications',
        body: '{{ summary }}',
        sms: '{{ count }} new notifications:\n{{ summary }}',
        subject: '{{ count }} new notifications',
        mail: ['What is new, the newest first:'],
        lines: '{{ summary }}',
        list: itemsOf('{{ more }} more'),
        button: 'See all of them',
      },
      de: {
        title: '{{ count }} neue Benachrichtigungen',
        body: '{{ summary }}',
        sms: '{{ count }} neue Benachrichtigungen:\n{{ summary }}',
        subject: '{{ count }} neue Benachrichtigungen',
        mail: ['Das ist neu, das Neueste zuerst:'],
        lines: '{{ summary }}',
        list: itemsOf('{{ more }} weitere'),
        button: 'Alle ansehen',
      },
      pt: {
        title: '{{ count }} novas notificações',
        body: '{{ summary }}',
        sms: '{{ count }} novas notificações:\n{{ summary }}',
        subject: '{{ count }} novas notificações',
        mail: ['As novidades, da mais recente à mais antiga:'],
        lines: '{{ summary }}',
        list: itemsOf('mais {{ more }}'),
        button: 'Ver todas',
      },
    },
  },
  {
    type: 'RECOMMENDATION',
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
