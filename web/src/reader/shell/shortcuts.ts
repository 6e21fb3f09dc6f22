import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { openComposer } from '../composer/composer-dialog.js';
import { isTyping } from '../feed/stream-keys.js';
import { useShortcutSetting } from './shortcut-setting.js';

/** n writes a post, / searches; j and k are the streams' own. */
export function useShortcuts(): void {
  const navigate = useNavigate();
  const [isOn] = useShortcutSetting();
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target))
        return;
      if (event.key === 'n') openComposer();
      else if (event.key === '/') void navigate('/search');
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [navigate, isOn]);
}
