import { existsSync, readFileSync } from 'node:fs';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import { yamlDocuments } from '../../base/text/yaml.ts';
import { KubeconfigEntry } from './kubeconfig-entry.ts';
import { type KubeconfigSearch, kubeconfigPaths } from './kubeconfig-search.ts';

/** Several kubeconfig files seen as one: the first file to name an entry or the current context wins. */
export interface MergedKubeconfig {
  /** The files that exist, in order. */
  readonly files: readonly string[];
  readonly currentContext: string | undefined;
  readonly clusters: ReadonlyMap<string, KubeconfigEntry>;
  readonly users: ReadonlyMap<string, KubeconfigEntry>;
  readonly contexts: ReadonlyMap<string, KubeconfigEntry>;
}

/** Reads and merges; missing files are skipped, but for an explicit one. Throws AZ_KUBECONFIG_INVALID. */
export function readKubeconfigs(search: KubeconfigSearch): MergedKubeconfig {
  const paths = kubeconfigPaths(search);
  const files = search.kubeconfig ? paths : paths.filter((path) => existsSync(path));
  const clusters = new Map<string, KubeconfigEntry>();
  const users = new Map<string, KubeconfigEntry>();
  const contexts = new Map<string, KubeconfigEntry>();
  let currentContext: string | undefined;
  for (const file of files) {
    const root = new KubeconfigEntry(file, '', parseFile(file));
    currentContext ??= root.text('current-context');
    collect(root, 'clusters', 'cluster', clusters);
    collect(root, 'users', 'user', users);
    collect(root, 'contexts', 'context', contexts);
  }
  return { files, currentContext, clusters, users, contexts };
}

function collect(root: KubeconfigEntry, list: string, member: string, into: Map<string, KubeconfigEntry>): void {
  for (const item of root.entries(list)) {
    const name = item.required('name');
    if (!into.has(name)) into.set(name, new KubeconfigEntry(root.file, `${member} "${name}"`, item.raw(member)));
  }
}

function parseFile(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new AzimuthError('AZ_KUBECONFIG_INVALID', `Kubeconfig ${file}: cannot be read (${code})`);
  }
  try {
    return yamlDocuments(text)[0];
  } catch (error) {
    throw new AzimuthError('AZ_KUBECONFIG_INVALID', `Kubeconfig ${file}: ${messageOf(error)}`);
  }
}
