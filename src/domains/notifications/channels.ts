import { DAY, HOUR } from './durations.js';

/** Platforms that push reaches. */
export const platforms = ['ios', 'android', 'web'] as const;
export type Platform = (typeof platforms)[number];

/** At most so many in any stretch of so many seconds. */
interface Amount {
  readonly max: number;
  readonly windowSeconds: number;
}

/** What sets a channel apart. Its queues, limits, addresses and its value in the API follow from here. */
interface ChannelRules {
  /** As the API describes it. */
  readonly description: string;
  /**
   * Where its messages go: to all devices of the user, to the user, who is always reachable, or to an address that is in
   * the user's settings under this name.
   */
  readonly address: 'devices' | 'user' | 'email' | 'phone';
  /** Whom messages are given to: a provider for each kind of address. */
  readonly kinds: readonly string[];
  /**
   * Users at once in one process. The more there are, the more of them share a statement; a push is a stream of one connection
   * (Apple takes 1,000), a mail or SMS a connection of its own.
   */
  readonly slots: number;
  /** The queue of low priority, where it does not have the name that follows from the channel's. */
  readonly lowQueue?: string;
  /** What one user may get, unless configured otherwise. */
  readonly userLimit?: Amount;
  /** What all users together may get, unless configured otherwise. */
  readonly globalLimit?: Amount;
  /** What its templates have, besides what all have. */
  readonly templateFields: readonly ('subject' | 'htmlBody' | 'title' | 'imageUrl' | 'pushOptions')[];
  /** The channel whose texts it shows where it has none of its own. */
  readonly textOf?: string;
  /** The app reports what the user does with a message; those of the other channels are known by links and callbacks. */
  readonly isReportedByApp?: true;
  /** The links of its messages are tracked. */
  readonly isTracked?: true;
}

/** Lower case here, in REST and in the database. Limits are those of the notification document. */
const table = {
  push: {
    description: "A push message to the user's devices and browsers.",
    address: 'devices',
    kinds: platforms,
    slots: 600,
    userLimit: { max: 30, windowSeconds: HOUR },
    templateFields: ['title', 'imageUrl', 'pushOptions'],
    isReportedByApp: true,
  },
  sms: {
    description: "A text message to the user's phone.",
    address: 'phone',
    kinds: ['sms'],
    slots: 120,
    // The document has no sms.low: low SMS are the part of sms.medium that waits behind everybody's medium ones, so they have
    // a list of their own.
    lowQueue: 'notifications.sms.medium.low',
    userLimit: { max: 5, windowSeconds: HOUR },
    globalLimit: { max: 100_000, windowSeconds: HOUR },
    templateFields: [],
  },
  email: {
    description: 'A mail.',
    address: 'email',
    kinds: ['email'],
    slots: 120,
    userLimit: { max: 10, windowSeconds: DAY },
    globalLimit: { max: 500_000, windowSeconds: HOUR },
    templateFields: ['subject', 'htmlBody'],
    isTracked: true,
  },
  in_app: {
    description: 'An item of the inbox inside the product. Used only where a request names it.',
    address: 'user',
    kinds: ['in_app'],
    slots: 200,
    templateFields: ['title', 'imageUrl'],
    textOf: 'push',
    isReportedByApp: true,
  },
} as const satisfies Readonly<Record<string, ChannelRules>>;

export type Channel = keyof typeof table;
export const channels = Object.keys(table) as readonly Channel[] as readonly [Channel, ...Channel[]];

/** The channels of a recipient who names none, in this order; in-app is used only where it is named. */
export const defaultChannels: readonly Channel[] = ['push', 'email', 'sms'];

export const rulesOfChannel = (channel: Channel): ChannelRules => table[channel];

/** What kind of address a message goes to: a platform of devices, or the name of a channel that has one kind. */
export type AddressKind = (typeof table)[Channel]['kinds'][number];

export const kindsOf = (channel: Channel): readonly AddressKind[] => table[channel].kinds;

/** Whether messages go to the devices that a user has when they are sent: to several, or to none. */
export const goesToDevices = (channel: Channel): boolean => rulesOfChannel(channel).address === 'devices';

/** The channels whose templates have a field that the others' do not; none for a field that all have. */
export const channelsWith = (field: string): readonly Channel[] =>
  channels.filter((channel) => rulesOfChannel(channel).templateFields.some((own) => own === field));
