import { describe, expect, it } from 'vitest';
import { isSuspectedBot } from '../../src/domains/notifications/tracking/bots.js';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36';
const visit = (headers: Record<string, string>, method = 'GET') => isSuspectedBot({ method, headers });

describe('a person', () => {
  it.each([
    ['Chrome', CHROME],
    [
      'Safari on a phone',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    ],
    [
      'Apple Mail without privacy protection',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
    ],
    ['Thunderbird', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.0'],
    ['Outlook', 'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17928; Pro)'],
    ['Outlook on a phone', 'Outlook-iOS/723.4027091.prod.iphone (4.28.0)'],
    [
      'Gmail’s app',
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/138.0.0.0 Mobile Safari/537.36',
    ],
  ])('reads with %s', (_name, userAgent) => {
    expect(visit({ 'user-agent': userAgent })).toBe(false);
  });
});

describe('a machine', () => {
  it.each([
    ['Apple’s privacy relay', 'Mozilla/5.0'],
    [
      'Gmail’s image proxy',
      'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    ],
    ['Yahoo’s', 'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html'],
    ['HEY’s', `hey.com/imageproxy ${CHROME}`],
    ['a chat that shows previews', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
    ['a search engine', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
    ['a mail gateway', 'Mozilla/5.0 (compatible; Barracuda Sentinel)'],
    [
      'a browser without a screen',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/138.0.0.0 Safari/537.36',
    ],
    ['a program', 'python-requests/2.32.3'],
    ['a client without a name', ''],
  ])('is %s', (_name, userAgent) => {
    expect(visit({ 'user-agent': userAgent })).toBe(true);
  });

  it.each(['purpose', 'sec-purpose', 'x-purpose', 'x-moz'])('fetches ahead, by the header %s', (header) => {
    expect(visit({ 'user-agent': CHROME, [header]: 'prefetch' })).toBe(true);
    expect(visit({ 'user-agent': CHROME, [header]: 'navigate' })).toBe(false);
  });

  it('asks by HEAD, or names no user agent', () => {
    expect(visit({ 'user-agent': CHROME }, 'HEAD')).toBe(true);
    expect(visit({})).toBe(true);
  });
});
