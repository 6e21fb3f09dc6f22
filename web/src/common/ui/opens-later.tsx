import {
  cloneElement,
  type ReactElement,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react';

interface OpensLaterProps {
  readonly button: ReactElement<{
    readonly onClick?: () => void;
    readonly 'aria-haspopup'?: 'menu' | 'dialog';
    readonly 'aria-expanded'?: boolean;
  }>;
  readonly kind: 'menu' | 'dialog';
  /** In the place of the button once it was pressed: the same button, with what it opens (`useOpened`). */
  readonly children: ReactNode;
}

/**
 * A button whose menu is neither loaded nor built before it is pressed: lists have a menu in each of their rows, and most of
 * them are never opened.
 */
export function OpensLater({ button, kind, children }: OpensLaterProps) {
  const [isWanted, setWanted] = useState(false);
  const closed = cloneElement(button, {
    onClick: () => setWanted(true),
    'aria-haspopup': kind,
    'aria-expanded': false,
  });
  return isWanted ? <Suspense fallback={closed}>{children}</Suspense> : closed;
}

interface Opened {
  readonly opened: boolean;
  readonly onChange: (opened: boolean) => void;
  /** Of the button, which takes the focus of the one that it replaces: it comes back there. */
  readonly target: RefObject<HTMLButtonElement | null>;
}

/** The state of what `OpensLater` loads: it opens as soon as it is there. */
export function useOpened(): Opened {
  const [opened, onChange] = useState(false);
  const target = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    target.current?.focus({ preventScroll: true });
    onChange(true);
  }, []);
  return { opened, onChange, target };
}
