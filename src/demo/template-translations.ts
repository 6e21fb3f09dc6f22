import type { NotificationText } from './notification-kind.js';

type Translated =
  | 'verificationCode'
  | 'securityAlert'
  | 'passwordReset'
  | 'newFollower'
  | 'orderShipped'
  | 'weeklyDigest';
type Translation = Readonly<Record<Translated, NotificationText>>;

export const german: Translation = {
  verificationCode: {
    title: 'Dein Code: {{code}}',
    body: 'Gib {{code}} ein, um dich anzumelden. Er gilt {{minutes}} Minuten.',
    sms: '{{code}} ist dein Code. Er gilt {{minutes}} Minuten. Gib ihn nie weiter.',
    subject: '{{code}} ist dein Bestätigungscode',
    mail: [
      'Mit diesem Code meldest du dich an: {{code}}',
      'Er gilt {{minutes}} Minuten. Nicht angefordert? Dann ignoriere diese Mail.',
    ],
    button: 'Code eingeben',
  },
  securityAlert: {
    title: 'Neue Anmeldung in deinem Konto',
    body: '{{device}} hat sich angemeldet ({{place}}). Warst du das?',
    sms: 'Neue Anmeldung: {{device}}, {{place}}. Nicht du? Sichere dein Konto in der App.',
    subject: 'Neue Anmeldung mit {{device}}',
    mail: [
      'Dein Konto wurde auf {{device}} geöffnet ({{place}}).',
      'Warst du es nicht, ändere jetzt dein Passwort.',
    ],
    button: 'Konto prüfen',
  },
  passwordReset: {
    title: 'Passwort zurücksetzen',
    body: 'Tippe hier und wähle innerhalb von {{minutes}} Minuten ein neues Passwort.',
    sms: 'Neues Passwort innerhalb von {{minutes}} Minuten: https://app.example.com/reset?token={{token}}',
    subject: 'Wähle ein neues Passwort',
    mail: [
      'Jemand möchte dein Passwort zurücksetzen.',
      'Der Link gilt {{minutes}} Minuten. Warst du es nicht, ignoriere diese Mail.',
    ],
    button: 'Neues Passwort wählen',
  },
  newFollower: {
    title: 'Neuer Follower',
    body: '{{follower}} folgt dir jetzt.',
    sms: '{{follower}} folgt dir jetzt. Follower: {{followers}}',
    subject: '{{follower}} folgt dir jetzt',
    mail: ['{{follower}} möchte sehen, was du schreibst.', 'Follower bisher: {{followers}}'],
    button: 'Profil ansehen',
  },
  orderShipped: {
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
  weeklyDigest: {
    title: 'Deine Woche in {{posts}} Beiträgen',
    body: 'Wem du folgst, hat {{posts}} Beiträge geschrieben. Sieh nach, was du verpasst hast.',
    sms: 'Diese Woche: {{posts}} neue Beiträge, {{likes}} Likes für deine.',
    subject: 'Deine Woche: {{posts}} neue Beiträge',
    mail: ['Diese Woche gab es {{posts}} neue Beiträge, und deine bekamen {{likes}} Likes.', '{{top_post}}'],
    button: 'Rückblick lesen',
  },
};

export const portuguese: Translation = {
  verificationCode: {
    title: 'O seu código: {{code}}',
    body: 'Digite {{code}} para entrar. Ele vale por {{minutes}} minutos.',
    sms: '{{code}} é o seu código. Vale por {{minutes}} minutos. Não o compartilhe.',
    subject: '{{code}} é o seu código de verificação',
    mail: [
      'Digite este código para entrar: {{code}}',
      'Ele vale por {{minutes}} minutos. Não pediu? Ignore este e-mail.',
    ],
    button: 'Digitar o código',
  },
  securityAlert: {
    title: 'Novo acesso à sua conta',
    body: 'Acesso por {{device}} ({{place}}). Foi você?',
    sms: 'Novo acesso: {{device}}, {{place}}. Não foi você? Proteja a sua conta no app.',
    subject: 'Novo acesso por {{device}}',
    mail: ['A sua conta foi aberta em {{device}} ({{place}}).', 'Se não foi você, troque a senha agora.'],
    button: 'Verificar a conta',
  },
  passwordReset: {
    title: 'Redefinir a senha',
    body: 'Toque para escolher uma nova senha em até {{minutes}} minutos.',
    sms: 'Nova senha em até {{minutes}} minutos: https://app.example.com/reset?token={{token}}',
    subject: 'Escolha uma nova senha',
    mail: [
      'Alguém pediu para redefinir a sua senha.',
      'O link vale por {{minutes}} minutos. Se não foi você, ignore este e-mail.',
    ],
    button: 'Escolher nova senha',
  },
  newFollower: {
    title: 'Novo seguidor',
    body: '{{follower}} começou a seguir você.',
    sms: '{{follower}} começou a seguir você. Seguidores: {{followers}}',
    subject: '{{follower}} começou a seguir você',
    mail: ['{{follower}} quer ver o que você publica.', 'Seguidores até agora: {{followers}}'],
    button: 'Ver o perfil',
  },
  orderShipped: {
    title: 'O seu pedido está a caminho',
    body: 'O pedido {{order_id}} já saiu ({{carrier}}).',
    sms: 'O pedido {{order_id}} está a caminho. Código de rastreio: {{tracking_number}}',
    subject: 'O pedido {{order_id}} está a caminho',
    mail: ['O seu pedido {{order_id}} já saiu ({{carrier}}).', 'Código de rastreio: {{tracking_number}}'],
    button: 'Acompanhar o pedido',
  },
  weeklyDigest: {
    title: 'A sua semana em {{posts}} publicações',
    body: 'Quem você segue publicou {{posts}} vezes. Veja o que perdeu.',
    sms: 'Nesta semana: {{posts}} publicações novas, {{likes}} curtidas nas suas.',
    subject: 'A sua semana: {{posts}} publicações novas',
    mail: [
      'Nesta semana houve {{posts}} publicações novas, e as suas tiveram {{likes}} curtidas.',
      '{{top_post}}',
    ],
    button: 'Ler o resumo',
  },
};
