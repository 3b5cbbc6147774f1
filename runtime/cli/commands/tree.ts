import { stopSignal } from '../../base/process/stop-signal.ts';
import { createKubeClient } from '../../kube/client/client.ts';
import { findKubeConnection } from '../../kube/config/find-connection.ts';
import { discover } from '../../view/read/discover.ts';
import { readRows } from '../../view/read/read-rows.ts';
import { showsColours } from '../../view/text-table.ts';
import { treeConfig } from '../../view/tree/config.ts';
import { renderTree } from '../../view/tree/render.ts';
import { selectKind } from '../../view/tree/select.ts';
import { treeJson, treeLines } from '../../view/tree/tree.ts';
import { exitCodes } from '../exit/failure.ts';
import { note } from '../exit/note.ts';
import type { Program } from '../program.ts';

/** `azimuth tree`: the tree on standard output, groups and kinds that could not be listed on standard error. */
export const tree: Program = async (argv) => {
  const config = treeConfig(argv, process.env);
  if ('help' in config) {
    console.log(config.help);
    return exitCodes.done;
  }
  const { target, output, allNamespaces } = config;
  const kind = target && selectKind(target);
  const connection = await findKubeConnection(config.kubeconfig === undefined ? {} : { kubeconfig: config.kubeconfig });
  const namespace = allNamespaces ? undefined : (config.namespace ?? connection.namespace);
  const client = createKubeClient(connection);
  try {
    const signal = stopSignal();
    const { kinds, problems } = await discover(client, signal);
    const read = await readRows(client, kinds, { namespace, signal });
    const lines = treeLines(read, { ...(kind && { kind }), ...(target?.name !== undefined && { name: target.name }) });
    const where = namespace === undefined ? 'in any namespace' : `in the namespace ${namespace}`;
    if (output === 'json') console.log(treeJson(lines ?? [], read.forbidden));
    else if (lines && lines.length > 0) {
      const colours = showsColours(process.stdout, process.env);
      console.log(renderTree(lines, { namespaces: allNamespaces, colours, now: Date.now() }));
    } else if (lines) note(`No ${kind?.kind ?? 'resources, identities or volumes'} found ${where}.`);
    const { forbidden } = read;
    if (!lines) {
      const hint = allNamespaces ? '' : '; -n names another namespace, -A searches all';
      note(`azimuth: there is no ${kind?.kind} ${target?.name} ${where}${hint}`);
    }
    if (forbidden.length > 0) note(`azimuth: you may not list ${forbidden.join(', ')} ${where}`);
    for (const problem of [...problems, ...read.problems]) note(`azimuth: ${problem}`);
    const complete = lines !== undefined && forbidden.length + problems.length + read.problems.length === 0;
    return complete ? exitCodes.done : exitCodes.failed;
  } finally {
    await client.close();
  }
};
