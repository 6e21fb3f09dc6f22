import { Group, UnstyledButton } from '@mantine/core';
import { SmilePlus, ThumbsUp } from 'lucide-react';
import { type ComponentPropsWithRef } from 'react';
import { loadedLater } from '../../common/ui/loaded-later.js';
import { OpensLater } from '../../common/ui/opens-later.js';
import type { ReaderPostFragment } from '../../generated/graphql.js';
import { useCount } from '../numbers.js';
import { useReaderTexts } from '../texts.js';
import classes from './post.module.css';
import { ReactionIcon, reactionKinds } from './reaction-kinds.js';
import { useReact } from './reactions.js';

const ReactionChoice = loadedLater(() => import('./reaction-choice.js'));

/** Likes with one tap; the button beside it offers the other kinds. */
export function ReactionButton({ post }: { readonly post: ReaderPostFragment }) {
  const t = useReaderTexts();
  const react = useReact();
  const count = useCount();
  const mine = post.viewerReaction ?? undefined;
  const total = post.reactionCounts.reduce((sum, { count: of }) => sum + of, 0);
  const kinds = [...post.reactionCounts].sort((a, b) => b.count - a.count).slice(0, 3);
  const label = mine ? t('reaction.undo', { kind: t(`reaction.${mine}`) }) : t('reaction.like');
  return (
    <Group gap={0} wrap="nowrap">
      <UnstyledButton
        className={classes.act}
        data-on={mine ? true : undefined}
        data-testid="react"
        style={mine ? ({ '--on-color': reactionKinds[mine].color } as React.CSSProperties) : undefined}
        aria-pressed={mine !== undefined}
        aria-label={`${label}, ${t('reaction.count', { count: total, shown: count(total) })}`}
        onClick={() => void react(post, mine ? null : 'LIKE')}
      >
        {mine ? <ReactionIcon kind={mine} size={19} /> : <ThumbsUp size={19} aria-hidden />}
        {kinds.length > 0 && !(kinds.length === 1 && kinds[0]?.kind === (mine ?? 'LIKE')) && (
          <span className={classes.kinds}>
            {kinds
              .filter(({ kind }) => kind !== mine)
              .map(({ kind }) => (
                <ReactionIcon key={kind} kind={kind} size={15} />
              ))}
          </span>
        )}
        {total > 0 && <span className="numbers">{count(total)}</span>}
      </UnstyledButton>
      <OpensLater kind="dialog" button={<ChooseButton />}>
        <ReactionChoice post={post} />
      </OpensLater>
    </Group>
  );
}

export function ChooseButton(props: ComponentPropsWithRef<'button'>) {
  const t = useReaderTexts();
  return (
    <UnstyledButton
      className={classes.act}
      style={{ minWidth: 36, padding: '0 8px' }}
      aria-label={t('reaction.choose')}
      {...props}
    >
      <SmilePlus size={18} aria-hidden />
    </UnstyledButton>
  );
}
