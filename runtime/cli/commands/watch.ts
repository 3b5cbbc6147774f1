import { systemClock } from '../../base/clock.ts';
import { stopSignal } from '../../base/process/stop-signal.ts';
import { createKubeClient } from '../../kube/client/client.ts';
import { findKubeConnection } from '../../kube/config/find-connection.ts';
import { showsColours } from '../../view/text-table.ts';
import { watchConfig } from '../../view/watch/config.ts';
import { followDeployment } from '../../view/watch/follow.ts';
import { lineScreen, terminalScreen } from '../../view/watch/screen.ts';
import { exitCodes } from '../exit/failure.ts';
import { note } from '../exit/note.ts';
import type { Program } from '../program.ts';

/** `azimuth watch`: follows the present run of a ComputeDeployment. */
export const watch: Program = async (argv) => {
  const config = watchConfig(argv, process.env);
  if ('help' in config) {
    console.log(config.help);
    return exitCodes.done;
  }
  const connection = await findKubeConnection(config.kubeconfig === undefined ? {} : { kubeconfig: config.kubeconfig });
  const namespace = config.namespace ?? connection.namespace;
  const client = createKubeClient(connection);
  const { stdout } = process;
  const isTerminal = stdout.isTTY && process.env['TERM'] !== 'dumb';
  const screen = isTerminal
    ? terminalScreen(stdout, { colours: showsColours(stdout, process.env) })
    : lineScreen({ write: (text) => console.log(text.trimEnd()) });
  try {
    const end = await followDeployment({
      client,
      clock: systemClock,
      key: { namespace, name: config.name },
      show: (view) => screen.show(view, Date.now()),
      onTrouble: (message) => note(`azimuth: ${message}`),
      signal: stopSignal(),
    });
    return end === 'Failed' ? exitCodes.failed : exitCodes.done;
  } finally {
    await client.close();
  }
};
