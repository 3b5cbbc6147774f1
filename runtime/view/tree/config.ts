import { expected } from '../../base/errors.ts';
import { clusterFlags } from '../../base/flags/cluster-flags.ts';
import { defineProgram, type Flag, switchFlag } from '../../base/program.ts';
import { oneOf } from '../../base/settings.ts';
import { namespaceFlag, selectorFlag } from '../object-flags.ts';

/** Which object or kind the tree is asked for. */
export interface TreeTarget {
  /** Kind, plural, singular or short name, in any case; with `.group` where two groups have it. */
  readonly kind: string;
  /** All objects of the kind when absent. */
  readonly name?: string;
}

/** Forms of the tree. */
export const treeForms = ['text', 'wide', 'name', 'json', 'yaml'] as const;
/** One of `treeForms`. */
export type TreeForm = (typeof treeForms)[number];

const program = defineProgram({
  name: 'tree',
  usage: ['Usage: azimuth tree [flags] [KIND[/NAME] | KIND NAME]'],
  description: [
    'Prints the Azure resources, identities and Key Vault volumes of the cluster below their owners: of one object with',
    'its owners and all that it owns, of the objects of a kind, or of a whole namespace.',
  ],
  flags: {
    namespace: namespaceFlag,
    allNamespaces: { ...switchFlag('all-namespaces', 'all namespaces, and objects of the cluster'), short: 'A' },
    selector: selectorFlag,
    output: {
      flag: 'output',
      short: 'o',
      value: 'FORM',
      default: 'text',
      meaning: 'text, wide with location and ARM id, name, or json or yaml with one entry for each object',
      parse: (setting, text): TreeForm => oneOf(setting, text, treeForms),
    },
    ...clusterFlags,
  } as const satisfies Record<string, Flag>,
  positionals: true,
  footer: ['Exit code: 0 if all could be listed, 1 if something is missing; standard error names it.'],
  complete(values, { positionals }) {
    return { ...values, target: targetOf(positionals) };
  },
});

function targetOf(positionals: readonly string[]): TreeTarget | undefined {
  const [first, ...rest] = positionals;
  if (first === undefined) return undefined;
  const [kind = '', ...name] = first.split('/');
  const names = [...(name.length > 0 ? [name.join('/')] : []), ...rest];
  if (kind === '' || names.length > 1 || names[0] === '') {
    throw expected('arguments of azimuth tree', 'KIND, KIND/NAME or KIND NAME', positionals.join(' '));
  }
  return { kind, ...(names[0] !== undefined && { name: names[0] }) };
}

/** Flags of `azimuth tree`. */
export const treeFlags = program.flags;
/** The text of `azimuth tree --help`. */
export const treeHelp = program.help;
/** The configuration, or the help text when it was asked for. Throws AZ_CONFIG_INVALID naming the flag. */
export const treeConfig = program.read;
