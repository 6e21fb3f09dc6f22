import { APP, type NotificationKind, optional, text } from './notification-kind.js';

/** What people are notified of about their accounts: sign-ins and payments. */
export const accountKinds: readonly NotificationKind[] = [
  {
    type: 'VERIFICATION_CODE',
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
      de: {
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
      pt: {
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
    },
  },
  {
    type: 'SECURITY_ALERT',
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
      de: {
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
      pt: {
        title: 'Novo acesso à sua conta',
        body: 'Acesso por {{device}} ({{place}}). Foi você?',
        sms: 'Novo acesso: {{device}}, {{place}}. Não foi você? Proteja a sua conta no app.',
        subject: 'Novo acesso por {{device}}',
        mail: ['A sua conta foi aberta em {{device}} ({{place}}).', 'Se não foi você, troque a senha agora.'],
        button: 'Verificar a conta',
      },
    },
  },
  {
    type: 'PAYMENT_FAILED',
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
      de: {
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
      pt: {
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
    },
  },
];
