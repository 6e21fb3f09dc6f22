import { Group, Popover, UnstyledButton } from '@mantine/core';
import { useOpened } from '../../common/ui/opens-later.js';
import type { ReaderPostFragment } from '../../generated/graphql.js';
import { useReaderTexts } from '../texts.js';
import classes from './post.module.css';
import { ChooseButton } from './reaction-button.js';
import { ReactionIcon, reactionNames } from './reaction-kinds.js';
import { useReact } from './reactions.js';

/** All kinds of reactions, side by side. */
export default function ReactionChoice({ post }: { readonly post: ReaderPostFragment }) {
  const t = useReaderTexts();
  const react = useReact();
  const { opened, onChange, target } = useOpened();
  const mine = post.viewerReaction ?? undefined;
  return (
    <Popover opened={opened} onChange={onChange} position="top" radius="xl" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <ChooseButton ref={target} onClick={() => onChange(!opened)} />
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
                onChange(false);
                void react(post, kind === mine ? null : kind);
              }}
            >
              <ReactionIcon kind={kind} size={24} />
            </UnstyledButton>
          ))}
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}
