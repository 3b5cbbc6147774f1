import { expected } from '../../base/errors.ts';
import { clusterFlags } from '../../base/flags/cluster-flags.ts';
import { defineProgram, type Flag } from '../../base/program.ts';
import { namespaceFlag } from '../object-flags.ts';

const program = defineProgram({
  name: 'watch',
  usage: ['Usage: azimuth watch [flags] NAME'],
  description: [
    'Follows the present run of the ComputeDeployment NAME until it ends: one line for each location, and one for each',
    'resource that is under way, has failed or was left out. A terminal shows the lines in place, other outputs get a',
    'line for each change. Standard error says which replica of the operator works, or that none does.',
  ],
  flags: {
    namespace: namespaceFlag,
    operatorNamespace: {
      flag: 'operator-namespace',
      value: 'NAME',
      default: 'azimuth-system',
      meaning: 'namespace of the operator, whose Lease says whether one runs',
      parse: namespaceFlag.parse,
    },
    ...clusterFlags,
  } as const satisfies Record<string, Flag>,
  positionals: true,
  footer: ['Exit code: 0 if the run succeeded, 1 if it failed, was cancelled or brought back an earlier goal.'],
  complete(values, { positionals }) {
    const [name = '', ...others] = positionals;
    if (others.length > 0 || !/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(name))
      throw expected('arguments of azimuth watch', 'the name of one ComputeDeployment', positionals.join(' '));
    return { ...values, name };
  },
});

/** Flags of `azimuth watch`. */
export const watchFlags = program.flags;
/** The configuration, or the help text when it was asked for. Throws AZ_CONFIG_INVALID naming the flag. */
export const watchConfig = program.read;
