import { managedSecretsFeature } from '../api/machines/features.ts';
import { credentialFlag } from '../azure/credential-flag.ts';
import { expected } from '../base/errors.ts';
import { clusterFlags } from '../base/flags/cluster-flags.ts';
import { defineProgram, detailedExitCodeFlag, type Flag, filenameFlag, optional, switchFlag } from '../base/program.ts';
import { named, oneOf } from '../base/settings.ts';
import { featureSetting } from '../compute/features/feature-setting.ts';
import { namespaceFlag } from '../view/object-flags.ts';
import { templateFlags } from './template-flags.ts';

/** Forms of a plan. */
export const planForms = ['text', 'json', 'yaml', 'name', 'mermaid', 'svg'] as const;
/** One of `planForms`. */
export type PlanForm = (typeof planForms)[number];

const program = defineProgram({
  name: 'plan',
  usage: ['Usage: azimuth plan [flags] -f FILE'],
  description: [
    'Checks the manifests of the files, compares them with the cluster, and shows what applying them would do, in the',
    'order in which it would happen. Nothing is written.',
  ],
  flags: {
    files: {
      ...filenameFlag,
      meaning:
        'file or folder with manifests in YAML or JSON, an ARM template, or Bicep; - is standard input; may be repeated',
      parse(setting, _text, { all }): readonly string[] {
        const files = all(setting).filter((file) => file !== '');
        if (files.length > 0) return files;
        throw expected(named(setting), 'a file with manifests or an ARM template', 'none');
      },
    },
    ...templateFlags,
    namespace: namespaceFlag,
    offline: switchFlag(
      'offline',
      'checks only: neither the cluster nor Azure is read, and everything is shown as new',
    ),
    live: switchFlag(
      'live',
      'compares with Azure too, by a GET for each resource, and checks the quota of machines; with your credential',
    ),
    credential: credentialFlag,
    managedSecretsFeature: {
      flag: 'managed-secrets-feature',
      env: 'AZIMUTH_MANAGED_SECRETS_FEATURE',
      value: 'FEATURE',
      default: managedSecretsFeature,
      meaning: 'feature whose gates are checked for objects with managed secrets; as the operator has it',
      parse: featureSetting,
    },
    fieldManager: {
      flag: 'field-manager',
      value: 'NAME',
      default: 'kubectl',
      meaning: 'field manager with which the manifests would be applied',
      parse(setting, text) {
        const name = text(setting);
        if (/^[\x20-\x7e]{1,128}$/.test(name)) return name;
        throw expected(named(setting), 'at most 128 printable characters', name);
      },
    },
    out: {
      flag: 'out',
      value: 'FILE',
      default: '',
      meaning: 'writes the plan to FILE too, for azimuth apply; a plan with problems is not written',
      parse: optional,
    },
    detailedExitCode: detailedExitCodeFlag('exit code 2 if applying the manifests would change something'),
    ...clusterFlags,
    output: {
      flag: 'output',
      short: 'o',
      value: 'FORM',
      default: 'text',
      meaning: 'text, json, yaml, name with one line for each object that would change, mermaid or svg',
      parse: (setting, text): PlanForm => oneOf(setting, text, planForms),
    },
  } as const satisfies Record<string, Flag>,
  footer: ['Exit code: 0 without problems, 1 if there are problems or the plan failed; see --detailed-exitcode.'],
  complete(values) {
    if (values.offline && values.out !== undefined)
      throw expected('--out', 'absent with --offline: azimuth apply compares with the cluster of the plan', values.out);
    if (!(values.offline && values.live)) return values;
    throw expected('--live', 'absent with --offline, which reads neither the cluster nor Azure', '--offline --live');
  },
});

/** Flags of `azimuth plan`. */
export const planFlags = program.flags;
/** The configuration, or the help text when it was asked for. Throws AZ_CONFIG_INVALID naming the flag. */
export const planConfig = program.read;
