/** Most characters of a key. */
const longestKey = 256;

/** Why this is no key of JSON; undefined where it is one. */
export function jsonKeyProblem(key: string): string | undefined {
  if (key.length > longestKey) return `has more than ${longestKey} characters`;
  if (key.startsWith('/') && /~(?![01])/.test(key)) return 'is no JSON Pointer: write ~ as ~0, and / in a name as ~1';
  return undefined;
}
