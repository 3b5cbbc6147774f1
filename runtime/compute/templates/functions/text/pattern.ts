/** Whether the whole text fits a pattern, in which `*` stands for any text, also for none. Case matters. */
export function fitsPattern(text: string, pattern: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return text === pattern;
  const end = text.length - tail.length;
  if (!text.startsWith(head) || !text.endsWith(tail) || end < head.length) return false;
  let at = head.length;
  // The first place of each part leaves the most text for the others.
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= end;
}
