/** In optional inputs null means absent. */
export function withoutNulls<Input extends object>(input: Input) {
  const given = Object.entries(input).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given) as { [Key in keyof Input]: Exclude<Input[Key], null> };
}
