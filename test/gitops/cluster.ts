import { type ApiServer, startApiServer } from '../../tools/clusters/envtest.ts';
import { run, succeed, temporaryFolder, toolsFolder } from './support.ts';

/**
 * Runs `work` on an API server of its own, which KUBECONFIG names meanwhile. Definitions of one test would be in the way of
 * the next one, and their deletion is no way out: for each, the API server first builds what it serves for every version
 * of the kind, one definition after the other, and on a busy machine one of them can stay terminating for minutes.
 */
export async function onApiServer(work: () => Promise<void>): Promise<void> {
  const server: ApiServer = await startApiServer(toolsFolder());
  // kubectl's cache is by address, and a port comes back some day.
  Object.assign(process.env, { KUBECONFIG: server.kubeconfig, KUBECACHEDIR: temporaryFolder() });
  try {
    await work();
  } finally {
    delete process.env['KUBECONFIG'];
    await server.stop();
  }
}

/** An object of the cluster, or undefined where it does not exist. */
export async function get(resource: string, name: string, namespace = 'default') {
  const { status, stdout } = await run('kubectl', ['get', resource, name, '-n', namespace, '-o', 'json']);
  return status === 0 ? JSON.parse(stdout) : undefined;
}

/** Writes a status, as the controller of the object would. */
export async function writeStatus(path: string, status: object): Promise<void> {
  const object = JSON.parse(await succeed('kubectl', ['get', '--raw', path]));
  const input = JSON.stringify({ ...object, status });
  await succeed('kubectl', ['replace', '--raw', `${path}/status`, '-f', '-'], { input });
}

/**
 * Reports every Deployment and DaemonSet as running while `work` runs: this API server has no controllers and no nodes.
 */
export async function withRunningPrograms<T>(work: () => Promise<T>): Promise<T> {
  const ended = new AbortController();
  const reporting = (async () => {
    while (!ended.signal.aborted) {
      const { stdout } = await run('kubectl', ['get', 'deployments,daemonsets', '-A', '-o', 'json']);
      for (const { kind, metadata, spec } of stdout ? JSON.parse(stdout).items : []) {
        const { namespace, name, generation: observedGeneration } = metadata;
        const path = `/apis/apps/v1/namespaces/${namespace}/${kind.toLowerCase()}s/${name}`;
        await writeStatus(path, { observedGeneration, ...runningStatus(kind, spec.replicas ?? 1) });
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  })();
  try {
    return await work();
  } finally {
    ended.abort();
    await reporting;
  }
}

function runningStatus(kind: string, replicas: number): object {
  if (kind === 'DaemonSet') {
    const counts = [
      'currentNumberScheduled',
      'desiredNumberScheduled',
      'numberAvailable',
      'numberReady',
      'updatedNumberScheduled',
    ];
    return { ...Object.fromEntries(counts.map((name) => [name, 1])), numberMisscheduled: 0 };
  }
  const conditions = [
    { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' },
    { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' },
  ];
  return { replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas, conditions };
}
