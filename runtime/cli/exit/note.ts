import { onOneLine } from '../../base/text/printable.ts';

/**
 * Writes one line to standard error. Names, messages and files of others are in such lines, and a terminal obeys escape
 * sequences: characters that are not printable are written as `\uXXXX`, the line feed as `\n`.
 */
export function note(line: string): void {
  console.error(onOneLine(line));
}
