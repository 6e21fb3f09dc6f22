import { useLocalStorage } from '@mantine/hooks';

const KEY = 'tidings.shortcuts';

/** Whether single letters are commands. Who dictates, or types by accident, switches them off (WCAG 2.1.4). */
export const useShortcutSetting = () =>
  useLocalStorage<boolean>({ key: KEY, defaultValue: true, getInitialValueInEffect: false });
