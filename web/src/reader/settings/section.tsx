import { Box, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  readonly about?: string;
  readonly children: ReactNode;
}

export function Section({ title, about, children }: SectionProps) {
  return (
    <Stack gap="sm" mb="xl" component="section">
      <Box>
        <Title order={2} fz="md">
          {title}
        </Title>
        {about && (
          <Text size="sm" c="dimmed">
            {about}
          </Text>
        )}
      </Box>
      {children}
    </Stack>
  );
}
