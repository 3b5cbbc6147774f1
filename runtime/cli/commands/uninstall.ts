import { createInterface } from 'node:readline/promises';
import { systemClock } from '../../base/clock.ts';
import { escaped } from '../../base/text/printable.ts';
import { uninstallConfig } from '../../uninstall/config.ts';
import { uninstall as removeAll } from '../../uninstall/uninstall.ts';
import { exitCodes } from '../exit/failure.ts';
import type { Program } from '../program.ts';
import { withCluster } from './with-cluster.ts';

/** `azimuth uninstall`: removes objects, programs and definitions; one line on standard output for each step. */
export const uninstall: Program = async (argv) => {
  const config = uninstallConfig(argv, process.env);
  if ('help' in config) {
    console.log(config.help);
    return exitCodes.done;
  }
  return withCluster(config, async ({ client, connection, signal }) => {
    const { mode, yes, stallMs, detailedExitCode } = config;
    const report = (lines: string) => console.log(escaped(lines));
    const cluster = `${connection.server} (${connection.source})`;
    report(`Cluster: ${cluster}`);
    const confirm = async () => yes || (await askAtTerminal(`Remove all this from ${cluster}? [y/N] `, signal));
    const isDone = await removeAll({ client, clock: systemClock, mode, confirm, stallMs, report, signal });
    return isDone || !detailedExitCode ? exitCodes.done : exitCodes.changes;
  });
};

/** Whether a person at a terminal says yes; false where nobody sits there. */
async function askAtTerminal(question: string, signal: AbortSignal): Promise<boolean> {
  const { stdin: input, stdout: output } = process;
  if (!input.isTTY || !output.isTTY) return false;
  const lines = createInterface({ input, output });
  try {
    return /^y(es)?$/i.test((await lines.question(escaped(question), { signal })).trim());
  } finally {
    lines.close();
  }
}
