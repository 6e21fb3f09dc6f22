import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import classes from './sub-nav.module.css';

interface SubNavLink {
  readonly to: string;
  readonly label: string;
  /** The others are below its path. */
  readonly isIndex?: boolean;
  /** Pages of it that are not below its path. */
  readonly also?: RegExp;
}

interface SubNavProps {
  /** What it chooses among, for those who hear it. */
  readonly label: string;
  readonly links: readonly SubNavLink[];
}

/** The pages of one section, in one line: where it is too long, it scrolls to the page that is open. */
export function SubNav({ label, links }: SubNavProps) {
  const { pathname } = useLocation();
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is open
  useEffect(() => {
    const bar = nav.current;
    const open = bar?.querySelector<HTMLElement>('[aria-current]');
    if (bar && open) bar.scrollLeft = open.offsetLeft - (bar.clientWidth - open.offsetWidth) / 2;
  }, [pathname]);
  return (
    <nav aria-label={label} className={classes.nav} ref={nav}>
      {links.map((link) => (
        <Link
          key={link.to}
          to={link.to}
          className={classes.link}
          aria-current={isOpen(link, pathname) ? 'page' : undefined}
        >
          {link.label}
        </Link>
      ))}
    </nav>
  );
}

function isOpen({ to, isIndex = false, also }: SubNavLink, pathname: string): boolean {
  if (pathname === to || also?.test(pathname)) return true;
  return !isIndex && pathname.startsWith(`${to}/`);
}
