import { clusterFlags } from '../../base/flags/cluster-flags.ts';
import { defineProgram, type Flag, filenameFlag } from '../../base/program.ts';
import { oneOf } from '../../base/settings.ts';

const kindsForms = ['text', 'name', 'json', 'yaml'] as const;
/** Forms of the kinds that `azimuth kinds` prints. */
export type KindsForm = (typeof kindsForms)[number];

const program = defineProgram({
  name: 'kinds',
  usage: ['Usage: azimuth kinds [flags]', '       azimuth kinds [flags] -f FILE'],
  description: [
    'Prints the kinds of Azure resources that the objects of a cluster need, or the manifests of the files, as',
    'AZIMUTH_KINDS takes them. Of a cluster it also names the defined kinds that nothing needs.',
  ],
  flags: {
    files: {
      ...filenameFlag,
      meaning: 'file, or folder at any depth, with manifests in YAML or JSON; - is standard input; may be repeated',
      parse: (setting, _text, { all }): readonly string[] => all(setting).filter((file) => file !== ''),
    },
    output: {
      flag: 'output',
      short: 'o',
      value: 'FORM',
      default: 'text',
      meaning: 'text, name with one line for each kind, json or yaml',
      parse: (setting, text): KindsForm => oneOf(setting, text, kindsForms),
    },
    ...clusterFlags,
  } as const satisfies Record<string, Flag>,
  footer: [
    'Exit code: 0 if all could be read, 1 if something is missing; standard error names it, and text has no kinds then.',
  ],
  complete: (values) => values,
});

/** Flags of `azimuth kinds`. */
export const kindsFlags = program.flags;
/** The configuration, or the help text when it was asked for. Throws AZ_CONFIG_INVALID naming the flag. */
export const kindsConfig = program.read;
