import { type CredentialSource, credentialFlag } from '../azure/credential-flag.ts';
import { expected } from '../base/errors.ts';
import { defineProgram, type Flag, type Parser, switchFlag, wholeFrom } from '../base/program.ts';
import { named, oneOf } from '../base/settings.ts';

/** Forms of the output. */
export type ImportOutput = 'yaml' | 'cdk8s';

/** The configuration of one import. */
export interface ImportConfig {
  /** ARM ids of resources and resource groups, and of subscriptions where `recursive` is set. */
  readonly ids: readonly string[];
  readonly recursive: boolean;
  readonly output: ImportOutput;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly workers: number;
  readonly credential: CredentialSource;
}

/** Names of labels and annotations: a word of up to 63 characters, after a domain and a slash if wanted. */
const qualifiedName = /^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/;
const labelValue = /^([A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?)?$/;

/** A member for each `name=value`, whose value matches. */
const pairs =
  (values: RegExp): Parser<Readonly<Record<string, string>>> =>
  (setting, _text, { all }) => {
    const entries = all(setting).map((pair) => {
      const [name = '', ...value] = pair.split('=');
      const fits = qualifiedName.test(name) && value.length > 0 && values.test(value.join('='));
      if (!fits) throw expected(named(setting), 'name=value as Kubernetes takes them', pair);
      return [name, value.join('=')] as const;
    });
    return Object.fromEntries(entries);
  };

const program = defineProgram({
  name: 'import',
  usage: ['Usage: azimuth import [flags] <ARM id of a resource, resource group or subscription>...'],
  description: ['Prints manifests for what exists in Azure. Nothing is written in Azure, and no secret is printed.'],
  flags: {
    recursive: {
      ...switchFlag(
        'recursive',
        'also the resources inside of these; of a resource group or subscription, all resources',
      ),
      short: 'r',
    },
    output: {
      flag: 'output',
      short: 'o',
      value: 'FORM',
      default: 'yaml',
      meaning: 'yaml, or cdk8s for a program in TypeScript',
      parse: (setting, text): ImportOutput => oneOf(setting, text, ['yaml', 'cdk8s']),
    },
    namespace: {
      flag: 'namespace',
      short: 'n',
      value: 'NAME',
      default: 'default',
      meaning: 'namespace of the objects',
      parse(setting, text) {
        const name = text(setting);
        if (/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)) return name;
        throw expected(named(setting), 'a name that Kubernetes takes: up to 63 of a-z, 0-9 and -', name);
      },
    },
    labels: {
      flag: 'label',
      short: 'l',
      value: 'NAME=VALUE',
      default: '',
      multiple: true,
      meaning: 'label to put on every object; may be repeated',
      parse: pairs(labelValue),
    },
    annotations: {
      flag: 'annotation',
      short: 'a',
      value: 'NAME=VALUE',
      default: '',
      multiple: true,
      meaning: 'annotation to put on every object; may be repeated',
      parse: pairs(/^/),
    },
    workers: {
      flag: 'workers',
      short: 'w',
      value: 'COUNT',
      default: '4',
      meaning: 'requests to Azure at a time',
      parse: wholeFrom(1),
    },
    credential: credentialFlag,
  } as const satisfies Record<string, Flag>,
  positionals: true,
  footer: ['Exit code: 0 if everything is in the manifests, 1 if something is not; standard error names it.'],
  complete(values, { positionals: ids }): ImportConfig {
    if (ids.length > 0) return { ...values, ids };
    throw expected('arguments of azimuth import', 'the ARM id of a resource, resource group or subscription', 'none');
  },
});

/** Flags of `azimuth import`. */
export const importFlags = program.flags;
/** The text of `azimuth import --help`. */
export const importHelp = program.help;
/** The configuration, or the help text when it was asked for. Throws AZ_CONFIG_INVALID naming the flag. */
export const importConfig = (argv: readonly string[]): ImportConfig | { readonly help: string } =>
  program.read(argv, {});
