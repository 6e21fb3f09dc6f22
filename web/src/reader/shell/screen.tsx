import { ActionIcon, Box, Group, Title } from '@mantine/core';
import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useReaderTexts } from '../texts.js';
import classes from './shell.module.css';

interface ScreenProps {
  readonly title: string;
  /** Stands in the place of the title; it has the page's h1 then. */
  readonly header?: ReactNode;
  readonly actions?: ReactNode;
  readonly hasBack?: boolean;
  readonly children: ReactNode;
}

/** The frame of each page of the reader: a line that stays at the top, and what is below it. */
export function Screen({ title, header, actions, hasBack = false, children }: ScreenProps) {
  useEffect(() => {
    document.title = `${title} · tidings`;
  }, [title]);
  return (
    <>
      <Box className={classes.header}>
        {header ?? (
          <div className={classes.titleLine}>
            {hasBack && <Back />}
            <Title order={1} fz="1.15rem" lineClamp={1} style={{ flex: 1 }}>
              {title}
            </Title>
            {actions && <Group gap="xs">{actions}</Group>}
          </div>
        )}
      </Box>
      {children}
    </>
  );
}

/** To where the reader came from; to the feed, where they came by a link. */
function Back() {
  const t = useReaderTexts();
  const navigate = useNavigate();
  const { key } = useLocation();
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      radius="xl"
      aria-label={t('back')}
      onClick={() => void (key === 'default' ? navigate('/') : navigate(-1))}
    >
      <ArrowLeft size={20} aria-hidden />
    </ActionIcon>
  );
}
