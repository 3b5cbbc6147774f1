import { stopSignal } from '../../base/process/stop-signal.ts';
import { inClusterServer } from '../../kube/config/in-cluster.ts';
import { readersAccess } from '../../ui/cluster/access.ts';
import { uiConfig } from '../../ui/config.ts';
import { openLocalPage, openPage } from '../../ui/open-page.ts';
import { exitCodes } from '../exit/failure.ts';
import type { Program } from '../program.ts';
import { chosenConnection } from './with-cluster.ts';

/** `azimuth ui`: prints the address of the page, and serves it until a signal ends it. */
export const ui: Program = async (argv) => {
  const config = uiConfig(argv, process.env);
  if ('help' in config) {
    console.log(config.help);
    return exitCodes.done;
  }
  const page = config.inCluster
    ? await openPage(readersAccess(inClusterServer()), config)
    : await openLocalPage(await chosenConnection(config), config);
  const stop = stopSignal();
  console.log(page.address);
  await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
  await page.close();
  return exitCodes.done;
};
