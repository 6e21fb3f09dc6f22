import { UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useReaderTexts } from '../texts.js';
import classes from './post.module.css';

/** Links and @mentions, as the API finds them; punctuation behind a link is not of it. */
const PARTS = /(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}])|(?<![\w@./-])@([\w.-]*[\w-])/gu;
const LONG_TEXT = 700;
const LONG_LINES = 12;

interface RichTextProps {
  readonly text: string;
  /** A long text is cut, with a button that shows the rest. */
  readonly isClamped?: boolean;
}

/** A text with its links and mentions. */
export function RichText({ text, isClamped = false }: RichTextProps) {
  const t = useReaderTexts();
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > LONG_TEXT || text.split('\n').length > LONG_LINES;
  const isCut = isClamped && isLong && !isOpen;
  return (
    <>
      <div className={`${classes.text} ${isCut ? classes.clamped : ''}`} dir="auto">
        {partsOf(text)}
      </div>
      {isCut && (
        <UnstyledButton c="var(--mantine-color-anchor)" fz="sm" onClick={() => setOpen(true)}>
          {t('post.showMore')}
        </UnstyledButton>
      )}
    </>
  );
}

function partsOf(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const { index, 0: whole, 1: url, 2: user } of text.matchAll(PARTS)) {
    parts.push(text.slice(from, index));
    from = index + whole.length;
    parts.push(
      url ? (
        <a key={index} href={url} target="_blank" rel="noopener noreferrer nofollow">
          {shortened(url)}
        </a>
      ) : (
        <Link key={index} to={`/people/${encodeURIComponent(user!)}`}>
          {whole}
        </Link>
      ),
    );
  }
  return [...parts, text.slice(from)];
}

function shortened(url: string): string {
  const bare = url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '');
  return bare.length > 48 ? `${bare.slice(0, 47)}…` : bare;
}
