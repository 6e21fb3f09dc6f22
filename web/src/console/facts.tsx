import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './facts.module.css';

interface FactsProps {
  readonly entries: readonly (readonly [label: string, value: ReactNode])[];
}

/** Names and values, as many beside each other as fit. What has no value is left out. */
export function Facts({ entries }: FactsProps) {
  return (
    <dl className={classes.facts}>
      {entries
        .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '')
        .map(([label, value]) => (
          <Box key={label} style={{ minWidth: 0 }}>
            <Text component="dt" size="xs" c="dimmed">
              {label}
            </Text>
            <Text component="dd" size="sm" m={0} className="numbers" style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Text>
          </Box>
        ))}
    </dl>
  );
}
