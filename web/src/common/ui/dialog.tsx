import { Group, Modal } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';

interface DialogProps {
  readonly title: string;
  /** Absent: nothing closes it but what it asks for. */
  readonly onClose?: (() => void) | undefined;
  /** Of Mantine, or in pixels. */
  readonly size?: 'md' | 'lg' | 'xl' | number;
  readonly isFullScreen?: boolean;
  /** Closed by its buttons alone: what it shows is not shown again. */
  readonly isKept?: boolean;
  readonly children: ReactNode;
}

/**
 * A dialog over the page, for as long as it is rendered. As Mantine's `Modal`, whose header counts as a second banner of the
 * document.
 */
export function Dialog(props: DialogProps) {
  const { title, onClose, size = 'md', isFullScreen = false, isKept = false, children } = props;
  useFocusBack();
  const isLeft = onClose !== undefined && !isKept;
  return (
    <Modal.Root
      opened
      onClose={() => onClose?.()}
      size={size}
      fullScreen={isFullScreen}
      closeOnClickOutside={isLeft}
      closeOnEscape={isLeft}
    >
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body pt="md">
          <Group justify="space-between" wrap="nowrap" mb="md">
            <Modal.Title fw={650} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Modal.Title>
            {onClose && <Modal.CloseButton />}
          </Group>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** What opened the dialog has the focus again after it. Mantine does so where `opened` changes, and not where the dialog is gone. */
function useFocusBack(): void {
  const [opener] = useState(() => openerOf(document.activeElement));
  useEffect(
    () => () => {
      const { activeElement } = document;
      if (activeElement !== null && activeElement !== document.body) return;
      const place = opener?.isConnected ? opener : document.getElementById('content');
      place?.focus({ preventScroll: true });
    },
    [opener],
  );
}

/** Of an item of a menu, which is gone by then, the button that opened the menu. */
function openerOf(focused: Element | null): HTMLElement | null {
  const button = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const opener = button ? document.getElementById(button) : focused;
  return opener instanceof HTMLElement && opener !== document.body ? opener : null;
}
