import { UnstyledButton } from '@mantine/core';
import { Fragment, useState } from 'react';
import { Link } from 'react-router';
import { useReaderTexts } from '../texts.js';
import classes from './post.module.css';
import { partsOf, type TextPart } from './text-parts.js';

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
        {partsOf(text).map((part) => (
          <Fragment key={part.index}>{shown(part)}</Fragment>
        ))}
      </div>
      {isCut && (
        <UnstyledButton c="var(--mantine-color-anchor)" fz="sm" onClick={() => setOpen(true)}>
          {t('post.showMore')}
        </UnstyledButton>
      )}
    </>
  );
}

function shown({ text, href, userId }: TextPart) {
  if (href !== undefined)
    return (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {shortened(text)}
      </a>
    );
  return userId === undefined ? text : <Link to={`/people/${encodeURIComponent(userId)}`}>{text}</Link>;
}

function shortened(url: string): string {
  const bare = url.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '');
  return bare.length > 48 ? `${bare.slice(0, 47)}…` : bare;
}
