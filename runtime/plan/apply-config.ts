import { credentialFlag } from '../azure/credential-flag.ts';
import { expected } from '../base/errors.ts';
import { clusterFlags } from '../base/flags/cluster-flags.ts';
import { defineProgram, type Flag, switchFlag, yesFlag } from '../base/program.ts';

const program = defineProgram({
  name: 'apply',
  usage: ['Usage: azimuth apply [flags] FILE'],
  description: [
    'Applies the objects of a plan that azimuth plan --out has written to FILE, by server-side apply. It shows the plan,',
    'the cluster and the context, and asks at a terminal. It applies nothing if the API server is another one, or if the',
    'cluster or Azure changed since the plan.',
  ],
  flags: {
    yes: yesFlag,
    forceConflicts: switchFlag('force-conflicts', 'takes fields that other field managers have set'),
    credential: credentialFlag,
    ...clusterFlags,
  } as const satisfies Record<string, Flag>,
  positionals: true,
  footer: ['Exit code: 0 if all objects were applied, 1 otherwise.'],
  complete(values, { positionals }) {
    const [file = '', ...others] = positionals;
    if (others.length > 0 || file === '')
      throw expected('arguments of azimuth apply', 'one file of azimuth plan --out', positionals.join(' '));
    return { ...values, file };
  },
});

/** Flags of `azimuth apply`. */
export const applyFlags = program.flags;
/** The configuration, or the help text when it was asked for. Throws AZ_CONFIG_INVALID naming the flag. */
export const applyConfig = program.read;
