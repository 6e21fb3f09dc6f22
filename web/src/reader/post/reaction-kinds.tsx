import { Angry, Frown, Heart, Laugh, ThumbsUp } from 'lucide-react';
import type { ComponentType } from 'react';
import type { ReactionKind } from '../../generated/graphql.js';

interface IconProps {
  readonly size?: number;
  readonly strokeWidth?: number;
  readonly 'aria-hidden'?: boolean;
}

/** A face with an open mouth; the icons have none. */
function Astonished({ size = 24, strokeWidth = 2 }: IconProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeWidth}
      strokeLinecap="round"
      aria-hidden
    >
      <circle cx="12" cy="12" r="10" />
      <path d="M8.5 9h.01M15.5 9h.01" />
      <ellipse cx="12" cy="15.2" rx="2.3" ry="2.9" />
    </svg>
  );
}

interface Kind {
  readonly icon: ComponentType<IconProps>;
  readonly color: string;
}

/** In the order in which they are offered. */
export const reactionKinds = {
  LIKE: { icon: ThumbsUp, color: 'light-dark(#0b7285, #66d9e8)' },
  LOVE: { icon: Heart, color: 'light-dark(#c2255c, #faa2c1)' },
  HAHA: { icon: Laugh, color: 'light-dark(#946200, #ffd43b)' },
  WOW: { icon: Astonished, color: 'light-dark(#7048e8, #b197fc)' },
  SAD: { icon: Frown, color: 'light-dark(#1864ab, #74c0fc)' },
  ANGRY: { icon: Angry, color: 'light-dark(#c92a2a, #ffa8a8)' },
} as const satisfies Record<ReactionKind, Kind>;

export const reactionNames = Object.keys(reactionKinds) as ReactionKind[];

export function ReactionIcon({ kind, size = 18 }: { readonly kind: ReactionKind; readonly size?: number }) {
  const { icon: Icon, color } = reactionKinds[kind];
  return (
    <span style={{ color, display: 'inline-flex' }}>
      <Icon size={size} aria-hidden />
    </span>
  );
}
