import { Group, Popover, UnstyledButton } from '@mantine/core';
import { SmilePlus, ThumbsUp } from 'lucide-react';
import { useState } from 'react';
import type { ReaderPostFragment } from '../../generated/graphql.js';
import { useCount } from '../numbers.js';
import { useReaderTexts } from '../texts.js';
import classes from './post.module.css';
import { ReactionIcon, reactionKinds, reactionNames } from './reaction-kinds.js';
import { useReact } from './reactions.js';

/** Likes with one tap; the button beside it offers the other kinds. */
export function ReactionButton({ post }: { readonly post: ReaderPostFragment }) {
  const t = useReaderTexts();
  const react = useReact();
  const count = useCount();
  const [isOpen, setOpen] = useState(false);
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
      <Popover
        opened={isOpen}
        onChange={setOpen}
        position="top"
        radius="xl"
        shadow="md"
        trapFocus
        returnFocus
      >
        <Popover.Target>
          <UnstyledButton
            className={classes.act}
            style={{ minWidth: 36, padding: '0 8px' }}
            aria-label={t('reaction.choose')}
            onClick={() => setOpen((open) => !open)}
          >
            <SmilePlus size={18} aria-hidden />
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown p={4} aria-label={t('reaction.choose')}>
          <Group gap={2} wrap="nowrap">
            {reactionNames.map((kind) => (
              <UnstyledButton
                key={kind}
                className={classes.pick}
                data-on={kind === mine ? true : undefined}
                aria-label={t(`reaction.${kind}`)}
                aria-pressed={kind === mine}
                title={t(`reaction.${kind}`)}
                onClick={() => {
                  setOpen(false);
                  void react(post, kind === mine ? null : kind);
                }}
              >
                <ReactionIcon kind={kind} size={24} />
              </UnstyledButton>
            ))}
          </Group>
        </Popover.Dropdown>
      </Popover>
    </Group>
  );
}
