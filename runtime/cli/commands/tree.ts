import type { ConfigOf } from '../../base/program.ts';
import { escaped } from '../../base/text/printable.ts';
import { discover } from '../../view/read/discover.ts';
import { readRows } from '../../view/read/read-rows.ts';
import { showsColours } from '../../view/text-table.ts';
import { type TreeForm, treeConfig } from '../../view/tree/config.ts';
import { renderNames, renderTree } from '../../view/tree/render.ts';
import { selectKind } from '../../view/tree/select.ts';
import { type TreeData, type TreeLine, treeData, treeLines } from '../../view/tree/tree.ts';
import { exitCodes } from '../exit/failure.ts';
import { note } from '../exit/note.ts';
import type { Program } from '../program.ts';
import { type Cluster, withCluster } from './with-cluster.ts';

/** `azimuth tree`: the tree on standard output, groups and kinds that could not be listed on standard error. */
export const tree: Program = async (argv) => {
  const config = treeConfig(argv, process.env);
  if ('help' in config) {
    console.log(config.help);
    return exitCodes.done;
  }
  return withCluster(config, (cluster) => printTree(cluster, config));
};

async function printTree(cluster: Cluster, config: ConfigOf<typeof treeConfig>): Promise<number> {
  const { client, connection, signal } = cluster;
  const { target, selector: labelSelector, allNamespaces } = config;
  const kind = target && selectKind(target);
  const namespace = allNamespaces ? undefined : (config.namespace ?? connection.namespace);
  const { kinds, problems } = await discover(client, signal);
  const read = await readRows(client, kinds, { namespace, labelSelector, signal });
  const lines = treeLines(read, { ...(kind && { kind }), ...(target?.name !== undefined && { name: target.name }) });
  const where = namespace === undefined ? 'in any namespace' : `in the namespace ${namespace}`;
  const { forbidden } = read;
  const text = await formOf[config.output](lines ?? [], { forbidden, namespaces: allNamespaces });
  if (text !== '') console.log(text);
  else if (lines) note(`No ${kind?.kind ?? 'resources, identities or volumes'} found ${where}.`);
  if (!lines) {
    const hint = allNamespaces ? '' : '; -n names another namespace, -A searches all';
    note(`azimuth: there is no ${kind?.kind} ${target?.name} ${where}${hint}`);
  }
  if (forbidden.length > 0) note(`azimuth: you may not list ${forbidden.join(', ')} ${where}`);
  for (const problem of [...problems, ...read.problems]) note(`azimuth: ${problem}`);
  const isComplete = lines !== undefined && forbidden.length + problems.length + read.problems.length === 0;
  return isComplete ? exitCodes.done : exitCodes.failed;
}

interface Shown {
  readonly forbidden: readonly string[];
  readonly namespaces: boolean;
}

/** The text of the tree in each form; '' where it has nothing to say. */
const formOf: Readonly<Record<TreeForm, (lines: readonly TreeLine[], shown: Shown) => string | Promise<string>>> = {
  text: (lines, { namespaces }) => tableOf(lines, { namespaces, wide: false }),
  wide: (lines, { namespaces }) => tableOf(lines, { namespaces, wide: true }),
  name: (lines) => renderNames(lines),
  json: (lines, { forbidden }) => escaped(JSON.stringify(treeData(lines, forbidden), undefined, 2)),
  yaml: (lines, { forbidden }) => yamlOf(treeData(lines, forbidden)),
};

function tableOf(
  lines: readonly TreeLine[],
  columns: { readonly namespaces: boolean; readonly wide: boolean },
): string {
  const colours = showsColours(process.stdout, process.env);
  return lines.length === 0 ? '' : renderTree(lines, { ...columns, colours, now: Date.now() });
}

/** The library takes a tenth of a second to load. */
async function yamlOf(data: TreeData): Promise<string> {
  const { toYaml } = await import('../../base/text/to-yaml.ts');
  return toYaml(data);
}
