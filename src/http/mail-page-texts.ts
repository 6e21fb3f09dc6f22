import type { Channel, DigestFrequency } from '../domains/notifications/index.js';

/** What the pages behind links in mails say, in one language. */
export interface MailPageTexts {
  readonly unsubscribe: {
    readonly title: string;
    readonly question: string;
    readonly button: string;
  };
  readonly unsubscribed: { readonly title: string; readonly done: string };
  readonly preferences: {
    /** The title, and the link that leads there. */
    readonly title: string;
    readonly intro: string;
    readonly essential: string;
    readonly essentialOff: string;
    readonly types: string;
    readonly marketing: string;
    readonly marketingHint: string;
    readonly marketingType: string;
    readonly digest: string;
    readonly digestHint: string;
    /** Where digests are turned off on a channel. */
    readonly digestOff: string;
    readonly save: string;
    readonly saved: string;
  };
  readonly problems: {
    readonly title: string;
    /** The link is not ours, or was changed. */
    readonly link: string;
    /** The mail is not known any more. */
    readonly old: string;
    /** What was posted does not fit what can be chosen now. */
    readonly outdated: string;
    readonly away: string;
  };
  readonly channels: Readonly<Record<Channel, string>>;
  readonly digestFrequencies: Readonly<Record<DigestFrequency, string>>;
  /** Types of the notification document and of the feed. Others are named by their code. */
  readonly types: Readonly<Record<string, string>>;
}

const en: MailPageTexts = {
  unsubscribe: {
    title: 'Unsubscribe',
    question: 'Do you want no more mails of this kind?',
    button: 'Unsubscribe',
  },
  unsubscribed: { title: 'Unsubscribed', done: 'You get no more mails of this kind.' },
  preferences: {
    title: 'Your notifications',
    intro: 'Choose what you want to get, and how. A change counts from the next notification on.',
    essential: 'Always sent, since they protect your account',
    essentialOff: 'switched off in the app',
    types: 'What you get',
    marketing: 'Offers and recommendations',
    marketingHint: 'If this is off, nothing of the kind is sent to you, whatever is chosen below.',
    marketingType: 'Only while offers and recommendations are on.',
    digest: 'What is not urgent',
    digestHint: 'How often you want to be notified of it.',
    digestOff:
      'Hourly and daily, it comes as a summary. Where that is off above, you get neither the summary nor what would be in it.',
    save: 'Save',
    saved: 'Your choices are saved.',
  },
  problems: {
    title: 'This did not work',
    link: 'This link was not made by us, or a part of it is missing. Open the link in the mail once more.',
    old: 'The mail is so old that its link does not work any more. Use the link of a newer mail, or the settings in the app.',
    outdated:
      'Something has changed since you opened the page. Go back, load it again, and choose once more.',
    away: 'Nothing was changed. Please try again in a moment.',
  },
  channels: { push: 'Push message', sms: 'Text message', email: 'E-mail', in_app: 'In the app' },
  digestFrequencies: { realtime: 'At once', hourly: 'Once an hour', daily: 'Once a day' },
  types: {
    VERIFICATION_CODE: 'Codes for signing in',
    SECURITY_ALERT: 'Security alerts',
    PAYMENT_FAILED: 'Failed payments',
    PASSWORD_RESET: 'Password resets',
    NEW_MESSAGE: 'New messages',
    NEW_FOLLOWER: 'New followers',
    ORDER_SHIPPED: 'Shipped orders',
    COMMENT_REPLY: 'Replies to your comments',
    MARKETING_CAMPAIGN: 'Offers',
    WEEKLY_DIGEST: 'Weekly summary',
    DIGEST: 'Summary of what has gathered',
    RECOMMENDATION: 'Recommendations',
    POST_LIKED: 'Reactions to your posts',
    POST_COMMENTED: 'Comments on your posts',
    POST_SHARED: 'Your posts that others share',
    NEW_POST: 'New posts of close friends',
    USER_MENTIONED: 'Mentions of you',
  },
};

const de: MailPageTexts = {
  unsubscribe: {
    title: 'Abbestellen',
    question: 'Möchtest du keine E-Mails dieser Art mehr bekommen?',
    button: 'Abbestellen',
  },
  unsubscribed: { title: 'Abbestellt', done: 'Du bekommst keine E-Mails dieser Art mehr.' },
  preferences: {
    title: 'Deine Benachrichtigungen',
    intro: 'Wähle, was du bekommen möchtest und wie. Eine Änderung gilt ab der nächsten Benachrichtigung.',
    essential: 'Werden immer gesendet, denn sie schützen dein Konto',
    essentialOff: 'in der App ausgeschaltet',
    types: 'Was du bekommst',
    marketing: 'Angebote und Empfehlungen',
    marketingHint: 'Ist dies aus, bekommst du nichts davon, was auch immer unten gewählt ist.',
    marketingType: 'Nur solange Angebote und Empfehlungen an sind.',
    digest: 'Was nicht eilt',
    digestHint: 'Wie oft du davon erfahren möchtest.',
    digestOff:
      'Stündlich und täglich kommt es als Zusammenfassung. Wo die oben aus ist, bekommst du weder sie noch, was in ihr stünde.',
    save: 'Speichern',
    saved: 'Deine Auswahl ist gespeichert.',
  },
  problems: {
    title: 'Das hat nicht geklappt',
    link: 'Dieser Link stammt nicht von uns, oder ein Teil davon fehlt. Öffne den Link in der E-Mail noch einmal.',
    old: 'Die E-Mail ist so alt, dass ihr Link nicht mehr gilt. Nimm den Link einer neueren E-Mail oder die Einstellungen in der App.',
    outdated:
      'Seit du die Seite geöffnet hast, hat sich etwas geändert. Geh zurück, lade sie neu und wähle noch einmal.',
    away: 'Es wurde nichts geändert. Bitte versuche es gleich noch einmal.',
  },
  channels: { push: 'Push-Nachricht', sms: 'SMS', email: 'E-Mail', in_app: 'In der App' },
  digestFrequencies: { realtime: 'Sofort', hourly: 'Einmal pro Stunde', daily: 'Einmal am Tag' },
  types: {
    VERIFICATION_CODE: 'Codes zum Anmelden',
    SECURITY_ALERT: 'Sicherheitshinweise',
    PAYMENT_FAILED: 'Fehlgeschlagene Zahlungen',
    PASSWORD_RESET: 'Zurücksetzen des Passworts',
    NEW_MESSAGE: 'Neue Nachrichten',
    NEW_FOLLOWER: 'Neue Follower',
    ORDER_SHIPPED: 'Versandte Bestellungen',
    COMMENT_REPLY: 'Antworten auf deine Kommentare',
    MARKETING_CAMPAIGN: 'Angebote',
    WEEKLY_DIGEST: 'Wöchentliche Zusammenfassung',
    DIGEST: 'Zusammenfassung des Gesammelten',
    RECOMMENDATION: 'Empfehlungen',
    POST_LIKED: 'Reaktionen auf deine Beiträge',
    POST_COMMENTED: 'Kommentare zu deinen Beiträgen',
    POST_SHARED: 'Beiträge von dir, die andere teilen',
    NEW_POST: 'Neue Beiträge von engen Freunden',
    USER_MENTIONED: 'Erwähnungen',
  },
};

const pt: MailPageTexts = {
  unsubscribe: {
    title: 'Cancelar inscrição',
    question: 'Deseja deixar de receber e-mails deste tipo?',
    button: 'Cancelar inscrição',
  },
  unsubscribed: { title: 'Inscrição cancelada', done: 'Não receberá mais e-mails deste tipo.' },
  preferences: {
    title: 'As suas notificações',
    intro: 'Escolha o que deseja receber e como. Uma alteração vale a partir da próxima notificação.',
    essential: 'Sempre enviadas, pois protegem a sua conta',
    essentialOff: 'desligado na aplicação',
    types: 'O que recebe',
    marketing: 'Ofertas e recomendações',
    marketingHint: 'Se estiver desligado, nada disto é enviado, independentemente da escolha abaixo.',
    marketingType: 'Só enquanto ofertas e recomendações estiverem ligadas.',
    digest: 'O que não é urgente',
    digestHint: 'Com que frequência deseja ser notificado.',
    digestOff:
      'De hora a hora e diariamente, chega como resumo. Onde ele está desligado acima, não recebe nem o resumo nem o que nele estaria.',
    save: 'Guardar',
    saved: 'As suas escolhas foram guardadas.',
  },
  problems: {
    title: 'Não funcionou',
    link: 'Este link não foi criado por nós ou falta uma parte. Abra novamente o link do e-mail.',
    old: 'O e-mail é tão antigo que o seu link já não funciona. Use o link de um e-mail mais recente ou as definições da aplicação.',
    outdated: 'Algo mudou desde que abriu a página. Volte atrás, carregue-a de novo e escolha outra vez.',
    away: 'Nada foi alterado. Tente novamente daqui a pouco.',
  },
  channels: { push: 'Notificação push', sms: 'SMS', email: 'E-mail', in_app: 'Na aplicação' },
  digestFrequencies: { realtime: 'De imediato', hourly: 'Uma vez por hora', daily: 'Uma vez por dia' },
  types: {
    VERIFICATION_CODE: 'Códigos para iniciar sessão',
    SECURITY_ALERT: 'Alertas de segurança',
    PAYMENT_FAILED: 'Pagamentos recusados',
    PASSWORD_RESET: 'Redefinição da palavra-passe',
    NEW_MESSAGE: 'Novas mensagens',
    NEW_FOLLOWER: 'Novos seguidores',
    ORDER_SHIPPED: 'Encomendas enviadas',
    COMMENT_REPLY: 'Respostas aos seus comentários',
    MARKETING_CAMPAIGN: 'Ofertas',
    WEEKLY_DIGEST: 'Resumo semanal',
    DIGEST: 'Resumo do que se juntou',
    RECOMMENDATION: 'Recomendações',
    POST_LIKED: 'Reações às suas publicações',
    POST_COMMENTED: 'Comentários às suas publicações',
    POST_SHARED: 'Partilhas das suas publicações',
    NEW_POST: 'Novas publicações de amigos próximos',
    USER_MENTIONED: 'Menções',
  },
};

/** By language code. The first is that of everybody who asks for none of them. */
export const mailPageTexts = { en, de, pt } as const satisfies Record<string, MailPageTexts>;
export type MailPageLanguage = keyof typeof mailPageTexts;

/** What a type is called: its name, or its code as words: `NEW_OFFER` is `New offer`. */
export function nameOfType(texts: MailPageTexts, type: string): string {
  if (Object.hasOwn(texts.types, type)) return texts.types[type]!;
  const words = type.replaceAll('_', ' ').toLowerCase();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
