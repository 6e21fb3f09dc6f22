import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { useShortcutSetting } from '../../common/shortcut-setting.js';
import { hasModifier, isTyping } from '../../common/ui/typing.js';
import { openComposer } from '../composer/composer-dialog.js';

/** n writes a post, / searches; j and k are the streams' own. */
export function useShortcuts(): void {
  const navigate = useNavigate();
  const [isOn] = useShortcutSetting();
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || hasModifier(event) || isTyping(event)) return;
      if (event.key === 'n') openComposer();
      else if (event.key === '/') void navigate('/search');
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [navigate, isOn]);
}
