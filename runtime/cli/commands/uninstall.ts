import { systemClock } from '../../base/clock.ts';
import { escaped } from '../../base/text/printable.ts';
import { uninstallConfig } from '../../uninstall/config.ts';
import { uninstall as removeAll } from '../../uninstall/uninstall.ts';
import { exitCodes } from '../exit/failure.ts';
import type { Program } from '../program.ts';
import { askAtTerminal } from './ask-at-terminal.ts';
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
