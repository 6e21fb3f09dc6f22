import { Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly size?: 'md' | 'lg' | 'xl';
  /** Closed by its buttons alone: what it shows is not shown again. */
  readonly isKept?: boolean;
  readonly children: ReactNode;
}

/**
 * A dialog over the page, for as long as it is rendered. As Mantine's `Modal`, whose header counts as a second banner of the
 * document.
 */
export function Dialog({ title, onClose, size = 'md', isKept = false, children }: DialogProps) {
  return (
    <Modal.Root opened onClose={onClose} size={size} closeOnClickOutside={!isKept} closeOnEscape={!isKept}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body pt="md">
          <Group justify="space-between" wrap="nowrap" mb="md">
            <Modal.Title fw={650} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Modal.Title>
            <Modal.CloseButton />
          </Group>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
