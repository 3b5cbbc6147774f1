import { systemClock } from '../../base/clock.ts';
import { stopSignal } from '../../base/process/stop-signal.ts';
import { escaped } from '../../base/text/printable.ts';
import { createKubeClient } from '../../kube/client/client.ts';
import { findKubeConnection } from '../../kube/config/find-connection.ts';
import { uninstallConfig } from '../../uninstall/config.ts';
import { uninstall as removeAll } from '../../uninstall/uninstall.ts';
import { exitCodes } from '../exit/failure.ts';
import type { Program } from '../program.ts';

/** Exit code of a run that only showed the objects it would remove. */
const shownOnly = 2;

/** `azimuth uninstall`: removes objects, programs and definitions; one line on standard output for each step. */
export const uninstall: Program = async (argv) => {
  const config = uninstallConfig(argv, process.env);
  if ('help' in config) {
    console.log(config.help);
    return exitCodes.done;
  }
  const { mode, yes, stallMs, kubeconfig } = config;
  const client = createKubeClient(await findKubeConnection(kubeconfig === undefined ? {} : { kubeconfig }));
  try {
    const isDone = await removeAll({
      client,
      clock: systemClock,
      mode,
      yes,
      stallMs,
      report: (lines) => console.log(escaped(lines)),
      signal: stopSignal(),
    });
    return isDone ? exitCodes.done : shownOnly;
  } finally {
    await client.close();
  }
};
