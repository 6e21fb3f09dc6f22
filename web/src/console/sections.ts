import {
  Activity,
  Bell,
  Boxes,
  ChartLine,
  FlaskConical,
  Gauge,
  Inbox,
  KeyRound,
  LayoutTemplate,
  type LucideIcon,
  MailX,
  Megaphone,
  Send,
  ShoppingCart,
  Users,
  Webhook,
} from 'lucide-react';
import type { ComponentType } from 'react';
import type { Role } from '../common/session.js';

export interface Section {
  /** The part of the path below `/console`, and the section's name in the messages. */
  readonly name: string;
  readonly icon: LucideIcon;
  readonly role: Role;
  /** Only where the stand-in providers run. */
  readonly isDevelopmentOnly?: boolean;
  /** Its default export renders what is below `/console/NAME`, by routes of its own. */
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

/** The sections of the console, in the order of its navigation. */
export const sections = [
  { name: 'overview', icon: Activity, role: 'admin', load: () => import('./sections/overview/index.js') },
  {
    name: 'notifications',
    icon: Bell,
    role: 'producer',
    load: () => import('./sections/notifications/index.js'),
  },
  { name: 'send', icon: Send, role: 'producer', load: () => import('./sections/send/index.js') },
  {
    name: 'templates',
    icon: LayoutTemplate,
    role: 'admin',
    load: () => import('./sections/templates/index.js'),
  },
  {
    name: 'campaigns',
    icon: Megaphone,
    role: 'producer',
    load: () => import('./sections/campaigns/index.js'),
  },
  { name: 'analytics', icon: ChartLine, role: 'admin', load: () => import('./sections/analytics/index.js') },
  { name: 'people', icon: Users, role: 'admin', load: () => import('./sections/people/index.js') },
  {
    name: 'dead-letters',
    icon: Inbox,
    role: 'admin',
    load: () => import('./sections/dead-letters/index.js'),
  },
  {
    name: 'suppressions',
    icon: MailX,
    role: 'admin',
    load: () => import('./sections/suppressions/index.js'),
  },
  { name: 'webhooks', icon: Webhook, role: 'producer', load: () => import('./sections/webhooks/index.js') },
  { name: 'api-keys', icon: KeyRound, role: 'admin', load: () => import('./sections/api-keys/index.js') },
  { name: 'limits', icon: Gauge, role: 'admin', load: () => import('./sections/limits/index.js') },
  { name: 'commerce', icon: ShoppingCart, role: 'admin', load: () => import('./sections/commerce/index.js') },
  { name: 'events', icon: Boxes, role: 'admin', load: () => import('./sections/events/index.js') },
  {
    name: 'sandbox',
    icon: FlaskConical,
    role: 'admin',
    isDevelopmentOnly: true,
    load: () => import('./sections/sandbox/index.js'),
  },
] as const satisfies readonly Section[];

export type SectionName = (typeof sections)[number]['name'];
