import { useSyncExternalStore } from 'react';
import { endPushes } from './own-pushes.js';

export type Role = 'user' | 'producer' | 'admin';

/** Who is signed in, as their token says. The server checks it; here it only decides what is shown. */
export interface Session {
  readonly token: string;
  /** Empty for API keys, which say nothing about themselves. */
  readonly userId: string;
  readonly roles: readonly Role[];
}

const KEY = 'tidings.token';
const listeners = new Set<() => void>();
let current: Session | undefined = read(sessionStorage.getItem(KEY));
let isExpired = false;

/** The token is kept for this tab alone, and never stands in a URL. */
export function signIn(token: string): void {
  const before = current;
  current = read(token);
  if (!current) return;
  if (before && !isSamePerson(before, current)) forget();
  isExpired = false;
  sessionStorage.setItem(KEY, current.token);
  changed();
}

/** Nothing stays in this browser that another person could read: neither the token nor drafts nor pushes. */
export function signOut(): void {
  current = undefined;
  isExpired = false;
  forget();
  changed();
}

/** Of who was signed in. */
function forget(): void {
  void endPushes().catch(() => undefined);
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith('tidings.')) sessionStorage.removeItem(key);
}

/** The server does not take the token any more: the page stays, and asks for another one. */
export function expire(): void {
  if (!current || isExpired) return;
  isExpired = true;
  changed();
}

export const session = (): Session | undefined => current;

/** Whether two tokens are of one person; an API key does not say whose it is. */
export const isSamePerson = (one: Session | undefined, other: Session | undefined): boolean =>
  one !== undefined && (one.token === other?.token || (one.userId !== '' && one.userId === other?.userId));

/** What a page is keyed by that must show nothing of another person's. */
export const identityOf = ({ userId, token }: Session): string => userId || token;

/** The header by which the API knows who asks. */
export function authorization(): Record<string, string> {
  const token = current?.token;
  return token ? { authorization: `Bearer ${token}` } : {};
}

export function useSession(): Session | undefined {
  return useSyncExternalStore(subscribe, session);
}

/** Whether the viewer may see and do what is everybody's. */
export const useIsAdmin = (): boolean => useSession()?.roles.includes('admin') ?? false;

export function useIsExpired(): boolean {
  return useSyncExternalStore(subscribe, () => isExpired);
}

/** Called after each change of who is signed in. */
export function onSession(listener: () => void): () => void {
  return subscribe(listener);
}

/** What a pasted text says as a token; undefined where it is neither a token nor an API key. */
export function read(text: string | null): Session | undefined {
  const token = text?.trim().replace(/^Bearer\s+/i, '');
  if (!token) return undefined;
  if (token.startsWith('tidings_')) return { token, userId: '', roles: ['user', 'producer'] };
  try {
    const part = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(part), (character) => character.charCodeAt(0));
    const claims = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof claims.sub !== 'string') return undefined;
    const roles: Role[] = Array.isArray(claims.roles) ? claims.roles : [];
    return { token, userId: claims.sub, roles };
  } catch {
    return undefined;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function changed(): void {
  for (const listener of listeners) listener();
}
