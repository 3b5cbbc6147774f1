import { parseArgs } from 'node:util';
import { expected } from '../base/errors.ts';

/** Forms of the output. */
export type ImportOutput = 'yaml' | 'cdk8s';
/** Sources of the credential. */
export type ImportCredential = 'environment' | 'azure-cli';

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
  readonly credential: ImportCredential;
}

interface Flag {
  readonly short?: string;
  /** What follows the flag; absent for a flag that stands alone. */
  readonly value?: string;
  readonly multiple?: boolean;
  readonly default?: string;
  readonly meaning: string;
}

/** Flags of `azimuth import`. */
export const importFlags: Readonly<Record<string, Flag>> = {
  recursive: {
    short: 'r',
    meaning: 'also the resources inside of these; of a resource group or subscription, all resources',
  },
  output: { short: 'o', value: 'FORM', default: 'yaml', meaning: 'yaml, or cdk8s for a program in TypeScript' },
  namespace: { short: 'n', value: 'NAME', default: 'default', meaning: 'namespace of the objects' },
  label: { short: 'l', value: 'NAME=VALUE', multiple: true, meaning: 'label to put on every object; may be repeated' },
  annotation: {
    short: 'a',
    value: 'NAME=VALUE',
    multiple: true,
    meaning: 'annotation to put on every object; may be repeated',
  },
  workers: { short: 'w', value: 'COUNT', default: '4', meaning: 'requests to Azure at a time' },
  credential: {
    value: 'FROM',
    default: 'environment',
    meaning: "environment: the operator's variables; azure-cli: the account of `az login`",
  },
};

/** The configuration, or the help text when it was asked for. Throws AZ_CONFIG_INVALID naming the flag. */
export function importConfig(argv: readonly string[]): ImportConfig | { readonly help: string } {
  const options = Object.fromEntries(
    Object.entries(importFlags).map(([name, { short, value, multiple }]) => [
      name,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        ...(short !== undefined && { short }),
        ...(multiple === true && { multiple }),
      },
    ]),
  );
  let values: Record<string, string | boolean | (string | boolean)[] | undefined>;
  let positionals: string[];
  try {
    ({ values, positionals } = parseArgs({
      args: [...argv],
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    }));
  } catch (error) {
    throw expected('arguments of azimuth import', 'flags that --help lists', (error as Error).message);
  }
  if (values['help']) return { help: importHelp() };
  const text = (name: string) => String(values[name] ?? importFlags[name]?.default ?? '');
  const workers = Number(text('workers'));
  if (!Number.isInteger(workers) || workers < 1) throw expected('--workers', 'a whole number of at least 1', workers);
  const namespace = text('namespace');
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace)) {
    throw expected('--namespace', 'a name that Kubernetes takes: up to 63 of a-z, 0-9 and -', namespace);
  }
  if (positionals.length === 0) {
    throw expected('arguments of azimuth import', 'the ARM id of a resource, resource group or subscription', 'none');
  }
  return {
    ids: positionals,
    recursive: values['recursive'] === true,
    output: oneOf('--output', text('output'), ['yaml', 'cdk8s']),
    namespace,
    labels: pairs('--label', values['label'], /^([A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?)?$/),
    annotations: pairs('--annotation', values['annotation'], /^/),
    workers,
    credential: oneOf('--credential', text('credential'), ['environment', 'azure-cli']),
  };
}

function oneOf<T extends string>(flag: string, given: string, known: readonly T[]): T {
  const found = known.find((each) => each === given);
  if (found !== undefined) return found;
  throw expected(flag, `one of ${known.join(', ')}`, given);
}

/** Names of labels and annotations: a word of up to 63 characters, after a domain and a slash if wanted. */
const qualifiedName = /^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/;

function pairs(flag: string, given: unknown, values: RegExp): Record<string, string> {
  const entries = (Array.isArray(given) ? given : []).map((pair) => {
    const [name = '', ...value] = String(pair).split('=');
    const fits = qualifiedName.test(name) && value.length > 0 && values.test(value.join('='));
    if (!fits) throw expected(flag, 'name=value as Kubernetes takes them', pair);
    return [name, value.join('=')] as const;
  });
  return Object.fromEntries(entries);
}

/** The text of `azimuth import --help`. */
export function importHelp(): string {
  const rows = Object.entries(importFlags).map(([name, { short, value, default: fallback, meaning }]) => {
    const flag = `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
    return `  ${flag.padEnd(30)} ${meaning}${fallback === undefined ? '' : ` [default ${fallback}]`}`;
  });
  return [
    'Usage: azimuth import [flags] <ARM id of a resource, resource group or subscription>...',
    '',
    'Prints manifests for what exists in Azure. Nothing is written in Azure, and no secret is printed.',
    '',
    ...rows,
    '',
    'Exit code: 0 if everything is in the manifests, 1 if something is not; standard error names it.',
  ].join('\n');
}
