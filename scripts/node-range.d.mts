export function isAllowed(version: string, range: string): boolean;
