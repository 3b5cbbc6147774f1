import { readFileSync } from 'node:fs';
import { systemClock } from '../base/clock.ts';
import { expected } from '../base/errors.ts';
import { createLogger } from '../base/observability/log.ts';
import { stopSignal } from '../base/process/stop-signal.ts';
import { type ConfigOf, defineProgram, type Flag, loggable, optional, secondsFrom } from '../base/program.ts';
import { bool } from '../base/settings.ts';
import { type InstallOptions, removeDriver } from '../volumes/install/installer.ts';
import { installerFlags } from '../volumes/install/installer-flags.ts';
import { DriverWatcher, targetDirectoryOf } from '../volumes/install/watch-driver.ts';
import { exitCodes } from './exit/failure.ts';
import type { Program } from './program.ts';

const commands = ['install', 'remove'] as const;
type Command = (typeof commands)[number];

const program = defineProgram({
  name: 'flexvolume',
  usage: ['Usage: azimuth flexvolume install [flags]', '       azimuth flexvolume remove [flags]'],
  description: [
    'install puts the driver azure/kv where kubelet finds it, and keeps it there until it gets a signal.',
    'remove takes the driver away.',
  ],
  flags: {
    ...installerFlags,
    settingsFile: {
      flag: 'settings',
      env: 'KV_SETTINGS',
      default: '',
      meaning: 'file with the settings of the driver on this node; keeps those on the node when empty',
      parse: optional,
    },
    intervalMs: {
      flag: 'interval',
      env: 'KV_INTERVAL',
      default: '300',
      meaning: 'seconds between two checks of the installed driver',
      parse: secondsFrom(1, 2_000_000),
    },
    once: {
      flag: 'once',
      env: 'KV_ONCE',
      default: 'false',
      boolean: true,
      meaning: 'end after the first installation',
      parse: bool,
    },
  } as const satisfies Record<string, Flag>,
  complete: (values) => values,
});

/** The help text of `azimuth flexvolume`. */
export const flexvolumeHelp = program.help;
/** The flags of `azimuth flexvolume`; times in milliseconds once parsed. */
export const flexvolumeSettings = program.flags;

/**
 * `azimuth flexvolume`: `install` runs until it gets a signal, because a DaemonSet restarts a program that ends. It
 * repairs a driver that somebody changed.
 */
export const flexvolume: Program = async ([first, ...argv]) => {
  const command = commands.find((each) => each === first);
  const isHelp = first === '--help' || first === '-h';
  if (!command && !isHelp) throw expected('arguments of azimuth flexvolume', commands.join(' or '), first ?? 'neither');
  const config = program.read(command ? argv : ['--help'], process.env);
  if (!command || 'help' in config) {
    console.log(program.help());
    return exitCodes.done;
  }
  return run(command, config);
};

async function run(command: Command, config: ConfigOf<typeof program.read>): Promise<number> {
  const targetDirectory = targetDirectoryOf(config.targetDirectory, config.hostRoot);
  const log = createLogger('azimuth-flexvolume');
  log.info({ ...loggable(program.flags, config), command, targetDirectory }, 'installer of the driver starts');
  if (command === 'remove') {
    log.info({ targetDirectory, removed: removeDriver(targetDirectory) }, 'the driver is gone');
    return exitCodes.done;
  }
  const { settingsFile, source, intervalMs } = config;
  const install: InstallOptions = {
    targetDirectory,
    source,
    settings: settingsFile === undefined ? undefined : readFileSync(settingsFile, 'utf8'),
  };
  const watcher = new DriverWatcher({ install, intervalMs, clock: systemClock, log });
  await watcher.install();
  if (!config.once) await watcher.watch(stopSignal());
  return exitCodes.done;
}
