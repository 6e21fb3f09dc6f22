import { VisuallyHidden } from '@mantine/core';
import { Bell, House, type LucideIcon, Search, Settings, UserRound } from 'lucide-react';
import { NavLink, useLocation } from 'react-router';
import { useSession } from '../../common/session.js';
import { useLiveFeed } from '../feed/live-feed.js';
import { useUnread } from '../inbox/live-inbox.js';
import { useReaderTexts } from '../texts.js';
import { HOME_AGAIN } from './home-again.js';
import classes from './shell.module.css';

interface Entry {
  readonly to: string;
  readonly name: 'home' | 'search' | 'inbox' | 'profile' | 'settings';
  readonly icon: LucideIcon;
  readonly count?: number;
}

/** Where one can go, with how much is new there. */
export function Navigation({ isPhone = false }: { readonly isPhone?: boolean }) {
  const t = useReaderTexts();
  const { pathname } = useLocation();
  const userId = useSession()?.userId ?? '';
  const unread = useUnread();
  const { waiting } = useLiveFeed('RANKED');
  const entries: Entry[] = [
    {
      to: '/',
      name: 'home',
      icon: House,
      count: pathname === '/' || pathname === '/latest' ? 0 : waiting.length,
    },
    { to: '/search', name: 'search', icon: Search },
    { to: '/inbox', name: 'inbox', icon: Bell, count: unread },
    { to: `/people/${encodeURIComponent(userId)}`, name: 'profile', icon: UserRound },
    ...(isPhone ? [] : [{ to: '/settings', name: 'settings', icon: Settings } as const]),
  ];
  return entries.map(({ to, name, icon: Icon, count = 0 }) => {
    const isFeed = name === 'home' && pathname === '/latest';
    return (
      <NavLink
        key={name}
        to={isFeed ? '/latest' : to}
        end={name === 'home'}
        className={classes.link}
        onClick={(event) => {
          if (name !== 'home' || (pathname !== '/' && !isFeed)) return;
          event.preventDefault();
          window.dispatchEvent(new Event(HOME_AGAIN));
        }}
      >
        <span className={classes.icon}>
          <Icon size={23} strokeWidth={1.9} aria-hidden />
          {count > 0 && (
            <span className={classes.count} aria-hidden data-testid={`${name}-count`}>
              {count > 99 ? '99+' : count}
            </span>
          )}
        </span>
        {isPhone ? (
          <VisuallyHidden>{t(`nav.${name}`)}</VisuallyHidden>
        ) : (
          <span className={classes.label}>{t(`nav.${name}`)}</span>
        )}
        {count > 0 && <VisuallyHidden>{t('nav.new', { count })}</VisuallyHidden>}
      </NavLink>
    );
  });
}
