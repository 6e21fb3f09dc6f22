import { useEffect, useState } from 'react';
import { loadWebConfig } from '../common/web-config.js';

/** Of the stand-in providers; null where there are none, and until it is known. */
export function useSandboxUrl(): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    void loadWebConfig().then(({ sandboxUrl }) => setUrl(sandboxUrl));
  }, []);
  return url;
}
