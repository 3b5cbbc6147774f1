import { systemClock } from '../../base/clock.ts';
import { showsColours } from '../../view/text-table.ts';
import { watchConfig } from '../../view/watch/config.ts';
import { followDeployment } from '../../view/watch/follow.ts';
import { followOperatorLease } from '../../view/watch/operator-lease.ts';
import { lineScreen, terminalScreen } from '../../view/watch/screen.ts';
import { exitCodes } from '../exit/failure.ts';
import { note } from '../exit/note.ts';
import type { Program } from '../program.ts';
import { withCluster } from './with-cluster.ts';

/** `azimuth watch`: follows the present run of a ComputeDeployment. */
export const watch: Program = async (argv) => {
  const config = watchConfig(argv, process.env);
  if ('help' in config) {
    console.log(config.help);
    return exitCodes.done;
  }
  const { stdout } = process;
  const isTerminal = stdout.isTTY && process.env['TERM'] !== 'dumb';
  const screen = isTerminal
    ? terminalScreen(stdout, { colours: showsColours(stdout, process.env) })
    : lineScreen({ write: (text) => console.log(text.trimEnd()) });
  return withCluster(config, async ({ client, connection, signal }) => {
    const stop = new AbortController();
    const report = (message: string) => note(`azimuth: ${message}`);
    const lease = followOperatorLease({
      client,
      clock: systemClock,
      namespace: config.operatorNamespace ?? connection.namespace,
      report,
      signal: AbortSignal.any([signal, stop.signal]),
    });
    const end = await followDeployment({
      client,
      clock: systemClock,
      key: { namespace: config.namespace ?? connection.namespace, name: config.name },
      show: (view) => screen.show(view, Date.now()),
      onTrouble: report,
      signal,
    }).finally(() => stop.abort());
    await lease;
    return end === 'Failed' ? exitCodes.failed : exitCodes.done;
  });
};
