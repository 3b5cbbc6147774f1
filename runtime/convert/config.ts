import { expected } from '../base/errors.ts';
import { defineProgram, type Flag, optional } from '../base/program.ts';
import { named } from '../base/settings.ts';
import { importFlags } from '../import/config.ts';
import { templateFlags } from '../plan/template-flags.ts';

const program = defineProgram({
  name: 'convert',
  usage: ['Usage: azimuth convert [flags] -f FILE'],
  description: [
    'Prints the objects for the resources of an ARM template, as manifests or as a program. Neither the cluster nor',
    'Azure is read, and no secret is printed.',
  ],
  flags: {
    file: {
      flag: 'filename',
      short: 'f',
      value: 'FILE',
      default: '',
      multiple: true,
      meaning: 'an ARM template, or Bicep; - is standard input',
      parse(setting, _text, { all }): string {
        const [file, ...others] = all(setting).filter((each) => each !== '');
        if (file !== undefined && others.length === 0) return file;
        throw expected(named(setting), 'one file with an ARM template', others.length > 0 ? 'several' : 'none');
      },
    },
    ...templateFlags,
    tenantId: {
      flag: 'tenant-id',
      value: 'ID',
      default: '',
      meaning: 'of an ARM template: the tenant, where its objects depend on it',
      parse: optional,
    },
    deployerId: {
      flag: 'deployer-id',
      value: 'ID',
      default: '',
      meaning: 'of an ARM template: the object id of the identity that deploys, where its objects depend on it',
      parse: optional,
    },
    namespace: importFlags.namespace,
    output: importFlags.output,
  } as const satisfies Record<string, Flag>,
  footer: ['Exit code: 0 if all resources are converted in full, 1 if one is not; standard error names it.'],
  complete: (values) => values,
});

/** Flags of `azimuth convert`. */
export const convertFlags = program.flags;
/** The configuration, or the help text when it was asked for. Throws AZ_CONFIG_INVALID naming the flag. */
export const convertConfig = program.read;
