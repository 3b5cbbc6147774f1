import { computeDeployment } from '../../api/deployments/compute-deployment.ts';
import { resourceOf } from '../../api/kinds.ts';
import type { Setting } from '../../base/settings.ts';
import { escaped } from '../../base/text/printable.ts';
import type { ResourceType } from '../../kube/client/types.ts';
import { exitCodes } from '../exit/failure.ts';
import type { Program } from '../program.ts';
import { type Cluster, withCluster } from './with-cluster.ts';

/** What a program completes: its flags, and the words that are no flags. */
interface Completed {
  readonly flags: Readonly<Record<string, Setting>>;
  readonly words?: (word: string, given: Given) => Promise<readonly string[]>;
}

/** Flags of a command line that choose what a completion reads. */
interface Given {
  readonly namespace: string | undefined;
  readonly context: string | undefined;
  readonly kubeconfig: string | undefined;
}

/** A shell waits for the answer, so that a cluster which does not answer gives no names. */
const mostMs = 2000;

const namespaces: ResourceType = {
  group: '',
  version: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  namespaced: false,
};

const completed: Readonly<Record<string, () => Promise<Completed>>> = {
  tree: async () => ({ flags: (await import('../../view/tree/config.ts')).treeFlags, words: kindsAndNames }),
  plan: async () => ({ flags: (await import('../../plan/config.ts')).planFlags }),
  apply: async () => ({ flags: (await import('../../plan/apply-config.ts')).applyFlags }),
  kinds: async () => ({ flags: (await import('../../view/kinds/config.ts')).kindsFlags }),
  watch: async () => ({
    flags: (await import('../../view/watch/config.ts')).watchFlags,
    words: (_, given) => namesOf(resourceOf(computeDeployment), given),
  }),
  ui: async () => ({ flags: (await import('../../ui/config.ts')).uiFlags }),
  uninstall: async () => ({ flags: (await import('../../uninstall/config.ts')).uninstallFlags }),
  import: async () => ({ flags: (await import('../../import/config.ts')).importFlags }),
  convert: async () => ({ flags: (await import('../../convert/config.ts')).convertFlags }),
  completion: async () => ({ flags: {}, words: async () => ['bash', 'zsh', 'fish', 'powershell'] }),
};

/** `azimuth __complete -- WORD...`: the words that the last one can become, one a line. Names come from the cluster. */
export const completeFor =
  (programs: readonly string[]): Program =>
  async (argv) => {
    const words = argv[0] === '--' ? argv.slice(1) : argv;
    const word = words.at(-1) ?? '';
    const found = await candidates(words, word, programs).catch(() => []);
    const fitting = [...new Set(found)].filter((each) => each.startsWith(word)).sort();
    if (fitting.length > 0) console.log(escaped(fitting.join('\n')));
    return exitCodes.done;
  };

async function candidates(
  words: readonly string[],
  word: string,
  programs: readonly string[],
): Promise<readonly string[]> {
  const [program = ''] = words;
  if (words.length <= 1) return programs;
  const of = Object.hasOwn(completed, program) ? await completed[program]?.() : undefined;
  if (!of) return [];
  const settings = Object.values(of.flags);
  if (word.startsWith('-'))
    return settings.flatMap(({ flag, short }) => [`--${flag}`, ...(short ? [`-${short}`] : [])]);
  const before = words.at(-2) ?? '';
  const setting = settings.find(({ flag, short }) => before === `--${flag}` || before === `-${short}`);
  const given = givenOf(words);
  if (setting && !setting.boolean) return setting.flag === 'namespace' ? namesOf(namespaces, given) : [];
  return (await of.words?.(word, given)) ?? [];
}

function givenOf(words: readonly string[]): Given {
  const value = (...flags: readonly string[]): string | undefined => {
    const at = words.findIndex((each) => flags.includes(each));
    const inline = words.find((each) => flags.some((flag) => each.startsWith(`${flag}=`)));
    return (at === -1 ? undefined : words[at + 1]) ?? inline?.slice(inline.indexOf('=') + 1);
  };
  return { namespace: value('--namespace', '-n'), context: value('--context'), kubeconfig: value('--kubeconfig') };
}

/** Kinds, and after a slash the names of the objects of one. */
async function kindsAndNames(word: string, given: Given): Promise<readonly string[]> {
  const { viewKinds } = await import('../../view/model/view-kinds.ts');
  const [name = '', ...rest] = word.split('/');
  const kinds = viewKinds.filter(({ type }) => type.group !== '');
  if (rest.length === 0) return kinds.map(({ type }) => `${type.kind.toLowerCase()}/`);
  const kind = kinds.find(({ type }) => type.kind.toLowerCase() === name.toLowerCase());
  return kind ? (await namesOf(kind.type, given)).map((each) => `${name}/${each}`) : [];
}

function namesOf(type: ResourceType, { namespace, ...given }: Given): Promise<readonly string[]> {
  const choice = { ...given, cluster: undefined, requestTimeoutMs: mostMs, timeoutMs: mostMs };
  return withCluster(choice, async ({ client, connection, signal }: Cluster) => {
    const within = type.namespaced ? { namespace: namespace ?? connection.namespace } : {};
    const { items } = await client.list(type, { ...within, limit: 200, signal });
    return items.map(({ metadata }) => metadata.name);
  });
}
