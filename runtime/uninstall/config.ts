import { expected } from '../base/errors.ts';
import { clusterFlags } from '../base/flags/cluster-flags.ts';
import { defineProgram, detailedExitCodeFlag, type Flag, secondsFrom, switchFlag, yesFlag } from '../base/program.ts';

/** The fate of the resources in Azure: they stay, or the operator deletes them. */
export type UninstallMode = 'keep-azure' | 'delete';

const program = defineProgram({
  name: 'uninstall',
  usage: ['Usage: azimuth uninstall --keep-azure | --delete [--yes] [flags]'],
  description: [
    'Removes the objects of Azimuth from the cluster, then the programs, then the definitions. Without --yes it shows what',
    'it would remove, and asks at a terminal; elsewhere it changes nothing.',
  ],
  flags: {
    keepAzure: switchFlag('keep-azure', 'every resource stays in Azure'),
    delete: switchFlag('delete', 'the operator deletes the resources in Azure before anything else goes'),
    yes: yesFlag,
    stallMs: {
      flag: 'stall-timeout',
      value: 'SECONDS',
      default: '1800',
      meaning: 'seconds without progress after which the command ends and names what is stuck',
      parse: secondsFrom(1, 2_000_000),
    },
    detailedExitCode: detailedExitCodeFlag('exit code 2 if the command only showed what it would remove'),
    ...clusterFlags,
  } as const satisfies Record<string, Flag>,
  footer: [
    'Exit code: 0 if nothing is left or nothing was to be removed yet, 1 if something is left; see --detailed-exitcode.',
  ],
  complete({ keepAzure, delete: isDelete, ...values }) {
    if (keepAzure === isDelete) {
      const choice = keepAzure ? '--keep-azure --delete' : 'neither';
      throw expected('arguments of azimuth uninstall', 'either --keep-azure or --delete', choice);
    }
    const mode: UninstallMode = keepAzure ? 'keep-azure' : 'delete';
    return { ...values, mode };
  },
});

/** Flags of `azimuth uninstall`. */
export const uninstallFlags = program.flags;
/** The configuration, or the help text when it was asked for. Throws AZ_CONFIG_INVALID naming the flag. */
export const uninstallConfig = program.read;
