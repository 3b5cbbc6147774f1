import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { systemClock } from '../base/clock.ts';
import { AzimuthError } from '../base/errors.ts';
import { createLogger } from '../base/observability/log.ts';
import { stopSignal } from '../base/stop-signal.ts';
import { type InstallOptions, removeDriver } from '../volumes/install/installer.ts';
import { DriverWatcher, targetDirectoryOf } from '../volumes/install/watch-driver.ts';
import type { Program } from './program.ts';

/** The help text of `azimuth flexvolume`. */
export const flexvolumeUsage = `Usage: azimuth flexvolume install [flags]   put the driver azure/kv where kubelet finds it, and keep it there
       azimuth flexvolume remove [flags]    take it away

  --target-dir DIR   kubelet's plugin directory (env TARGET_DIR); default: detected on the host
  --host-root DIR    where the host's / is mounted (env HOST_ROOT); default /
  --source FILE      the driver, with its digest FILE.sha256 beside it (env KV_SOURCE); default dist/kv
  --settings FILE    settings of the driver on this node (env KV_SETTINGS); default: those that are there
  --interval SECONDS between two checks of the installed driver (env KV_INTERVAL); default 300
  --once             end after the first`;

/**
 * `azimuth flexvolume`: `install` runs until it gets a signal, because a DaemonSet restarts a program that ends. It
 * repairs a driver that somebody changed.
 */
export const flexvolume: Program = async ([command, ...argv]) => {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      'target-dir': { type: 'string' },
      'host-root': { type: 'string' },
      source: { type: 'string' },
      settings: { type: 'string' },
      interval: { type: 'string' },
      once: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help || command === '--help' || (command !== 'install' && command !== 'remove')) {
    console.log(flexvolumeUsage);
    return values.help || command === '--help' ? 0 : 2;
  }
  const setting = (flag: 'target-dir' | 'host-root' | 'source' | 'settings' | 'interval', name: string) =>
    values[flag] || process.env[name] || undefined;
  const hostRoot = setting('host-root', 'HOST_ROOT') ?? '/';
  const targetDirectory = targetDirectoryOf(setting('target-dir', 'TARGET_DIR'), hostRoot);
  const log = createLogger('azimuth-flexvolume');
  if (command === 'remove') {
    log.info({ targetDirectory, removed: removeDriver(targetDirectory) }, 'the driver is gone');
    return 0;
  }
  const seconds = Number(setting('interval', 'KV_INTERVAL') ?? 300);
  if (!Number.isInteger(seconds) || seconds < 1) {
    throw new AzimuthError('AZ_CONFIG_INVALID', 'Expected `--interval` to be a whole number of seconds, 1 at least');
  }
  const settings = setting('settings', 'KV_SETTINGS');
  const options: InstallOptions = {
    targetDirectory,
    source: setting('source', 'KV_SOURCE') ?? 'dist/kv',
    settings: settings === undefined ? undefined : readFileSync(settings, 'utf8'),
  };
  const intervalMs = seconds * 1000;
  const keeper = new DriverWatcher({ install: options, intervalMs, clock: systemClock, log });
  await keeper.install();
  if (!values.once) await keeper.keep(stopSignal());
  return 0;
};
