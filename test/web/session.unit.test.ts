import { beforeEach, describe, expect, test, vi } from 'vitest';

const tokenOf = (claims: object): string => ['', btoa(JSON.stringify(claims)), ''].join('.');

/** As browsers have it: its keys are properties. */
class FakeStorage {
  getItem(key: string): string | null {
    return (this as unknown as Record<string, string>)[key] ?? null;
  }
  setItem(key: string, value: string): void {
    Object.assign(this, { [key]: value });
  }
  removeItem(key: string): void {
    delete (this as unknown as Record<string, string>)[key];
  }
}

const DRAFT = 'tidings.kept.draft';
const PUSHES = 'tidings.push-owner';
let tab: FakeStorage;
let browser: FakeStorage;
let session: typeof import('../../web/src/common/session.js');

beforeEach(async () => {
  tab = new FakeStorage();
  browser = new FakeStorage();
  vi.stubGlobal('sessionStorage', tab);
  vi.stubGlobal('localStorage', browser);
  vi.stubGlobal('navigator', {});
  vi.resetModules();
  session = await import('../../web/src/common/session.js');
});

/** Signs in twice, with a draft and pushes of the first one between. */
function signInTwice(first: string, second: string): void {
  session.signIn(first);
  tab.setItem(DRAFT, 'typed');
  browser.setItem(PUSHES, 'first');
  session.signIn(second);
}

describe('what was typed, and the pushes of this browser', () => {
  test('stay with a person who signs in again', () => {
    signInTwice(tokenOf({ sub: 'alice', iat: 1 }), tokenOf({ sub: 'alice', iat: 2 }));
    expect(tab.getItem(DRAFT)).toBe('typed');
    expect(browser.getItem(PUSHES)).toBe('first');
  });

  test.each([
    ['another person', tokenOf({ sub: 'alice' }), tokenOf({ sub: 'bob' })],
    ['another API key, which may be anybody’s', 'tidings_one', 'tidings_two'],
  ])('are gone for %s', (_, first, second) => {
    signInTwice(first, second);
    expect(tab.getItem(DRAFT)).toBeNull();
    expect(browser.getItem(PUSHES)).toBeNull();
    expect(tab.getItem('tidings.token')).toBe(second);
  });

  test('are gone after signing out, and the token with them', () => {
    signInTwice('tidings_one', 'tidings_one');
    expect(tab.getItem(DRAFT)).toBe('typed');
    session.signOut();
    expect(Object.keys(tab)).toEqual([]);
    expect(browser.getItem(PUSHES)).toBeNull();
  });
});
