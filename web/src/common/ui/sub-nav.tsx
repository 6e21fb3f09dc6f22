import { NavLink } from 'react-router';
import classes from './sub-nav.module.css';

interface SubNavProps {
  /** What it chooses among, for those who hear it. */
  readonly label: string;
  readonly links: readonly { readonly to: string; readonly label: string; readonly isIndex?: boolean }[];
}

/** The pages of one section. */
export function SubNav({ label, links }: SubNavProps) {
  return (
    <nav aria-label={label} className={classes.nav}>
      {links.map(({ to, label: text, isIndex = false }) => (
        <NavLink key={to} to={to} end={isIndex} className={classes.link!}>
          {text}
        </NavLink>
      ))}
    </nav>
  );
}
