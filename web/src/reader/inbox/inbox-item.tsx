import { ActionIcon, Group, Text, Tooltip, UnstyledButton } from '@mantine/core';
import {
  Archive,
  ArchiveRestore,
  AtSign,
  Bell,
  Heart,
  Mail,
  MailOpen,
  MessageCircle,
  Newspaper,
  Repeat2,
  UserPlus,
} from 'lucide-react';
import { memo } from 'react';
import { Link } from 'react-router';
import { fromHtml } from '../../common/from-html.js';
import { Time } from '../../common/ui/time.js';
import type { ReaderInboxItemFragment } from '../../generated/graphql.js';
import { pathOf } from '../own-url.js';
import { useReaderTexts } from '../texts.js';
import classes from './inbox.module.css';
import { reportTap, useMarkItem } from './mark.js';

const ICONS: Readonly<Record<string, typeof Bell>> = {
  POST_LIKED: Heart,
  POST_COMMENTED: MessageCircle,
  COMMENT_REPLY: MessageCircle,
  POST_SHARED: Repeat2,
  NEW_FOLLOWER: UserPlus,
  NEW_POST: Newspaper,
  USER_MENTIONED: AtSign,
  NEW_MESSAGE: Mail,
};

/** One notification: it leads to what it is about, and is read then. */
export const InboxItem = memo(function InboxItem({ item }: { readonly item: ReaderInboxItemFragment }) {
  const t = useReaderTexts();
  const mark = useMarkItem();
  const Icon = ICONS[item.notificationType] ?? Bell;
  const isUnread = !item.readAt && !item.archivedAt;
  const path = pathOf(item.actionUrl);
  const title = item.title ? fromHtml(item.title) : undefined;
  const body = fromHtml(item.body);

  function open(): void {
    reportTap(item);
    if (isUnread) void mark(item, 'READ');
  }
  const text = (
    <>
      <span className={classes.title}>{title ?? body}</span>
      {title && (
        <Text component="span" display="block" size="sm" c="dimmed" lineClamp={2}>
          {body}
        </Text>
      )}
    </>
  );

  return (
    <article
      className={classes.item}
      data-unread={isUnread || undefined}
      aria-label={title ?? body}
      tabIndex={-1}
    >
      <span className={classes.icon}>
        <Icon size={19} aria-hidden />
      </span>
      <div style={{ minWidth: 0 }}>
        {path ? (
          <Link to={path} className={classes.open} onClick={open}>
            {text}
          </Link>
        ) : item.actionUrl ? (
          <a
            href={item.actionUrl}
            className={classes.open}
            target="_blank"
            rel="noopener noreferrer"
            onClick={open}
          >
            {text}
          </a>
        ) : (
          <UnstyledButton className={classes.open} onClick={open}>
            {text}
          </UnstyledButton>
        )}
        <Text size="xs" c="dimmed" mt={2}>
          <Time at={item.createdAt} relative />
        </Text>
      </div>
      <Group gap={0} align="flex-start" wrap="nowrap">
        <Tooltip label={t(item.readAt ? 'inbox.unread' : 'inbox.read')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            radius="xl"
            aria-label={t(item.readAt ? 'inbox.unread' : 'inbox.read')}
            onClick={() => void mark(item, item.readAt ? 'UNREAD' : 'READ')}
          >
            {item.readAt ? <Mail size={17} aria-hidden /> : <MailOpen size={17} aria-hidden />}
          </ActionIcon>
        </Tooltip>
        <Tooltip label={t(item.archivedAt ? 'inbox.unarchive' : 'inbox.archive')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            radius="xl"
            aria-label={t(item.archivedAt ? 'inbox.unarchive' : 'inbox.archive')}
            onClick={() => void mark(item, item.archivedAt ? 'UNARCHIVE' : 'ARCHIVE')}
          >
            {item.archivedAt ? <ArchiveRestore size={17} aria-hidden /> : <Archive size={17} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      </Group>
    </article>
  );
});
