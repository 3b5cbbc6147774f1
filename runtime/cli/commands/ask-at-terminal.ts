import { createInterface } from 'node:readline/promises';
import { escaped } from '../../base/text/printable.ts';

/** Whether a person at a terminal says yes; false where nobody sits there. */
export async function askAtTerminal(question: string, signal: AbortSignal): Promise<boolean> {
  const { stdin: input, stdout: output } = process;
  if (!input.isTTY || !output.isTTY) return false;
  const lines = createInterface({ input, output });
  try {
    return /^y(es)?$/i.test((await lines.question(escaped(question), { signal })).trim());
  } finally {
    lines.close();
  }
}
