import { commerce } from './commerce.ts';
import type { Board } from './dashboard.ts';
import { feed } from './feed.ts';
import { limits } from './limits.ts';
import { notifications } from './notifications.ts';
import { platform } from './platform.ts';

/** Every dashboard; `npm run dashboards` writes a file of each. */
export const boards: readonly Board[] = [feed, notifications, limits, commerce, platform];
