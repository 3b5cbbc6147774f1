import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { keyOf, type ObjectMeta } from '../../../runtime/kube/client/types.ts';

const podCount = 5000;
const eventCount = 20_000;

/** How the watches of one path prefix behave. */
export type Mode = 'quiet' | 'events' | 'silent' | 'broken';

interface Visit {
  readonly at: number;
  readonly watch: boolean;
}

/**
 * Serves 5,000 pods of about 3.1 KB, paged or whole, under `/<mode>/<session>/api/v1/pods`, and watches on them:
 * quiet ones with bookmarks, ones that stream 20,000 changes, ones that fall silent, and ones answered with 500 once.
 */
export class PodServer {
  readonly #server = createServer((request, response) => this.#serve(request, response));
  /** In the order of a real server: by namespace and name. */
  readonly #pods = Array.from({ length: podCount }, (_, index) => pod(index))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .map((each) => JSON.stringify(each));
  /** Bodies by range: what the server costs is not what is measured. */
  readonly #pages = new Map<string, Buffer>();
  readonly #visits = new Map<string, Visit[]>();

  get bytesPerPod(): number {
    return this.#pods.reduce((sum, text) => sum + text.length, 0) / podCount;
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  /** Requests of a session (`<mode>/<session>`), in order. */
  visits(session: string): readonly Visit[] {
    return this.#visits.get(session) ?? [];
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://server');
    const [, mode, session] = url.pathname.split('/');
    const key = `${mode}/${session}`;
    const watch = ['true', '1'].includes(url.searchParams.get('watch') ?? '');
    const earlier = this.visits(key);
    this.#visits.set(key, [...earlier, { at: performance.now(), watch }]);
    if (watch) this.#watch(mode as Mode, earlier.filter((visit) => visit.watch).length, response);
    else this.#list(url.searchParams, response);
  }

  #list(query: URLSearchParams, response: ServerResponse): void {
    const start = Number(query.get('continue') || 0);
    const limit = Number(query.get('limit') || 0) || podCount;
    const end = Math.min(podCount, start + limit);
    response.writeHead(200, { 'content-type': 'application/json' }).end(this.#page(start, end));
  }

  #page(start: number, end: number): Buffer {
    const key = `${start}-${end}`;
    const existing = this.#pages.get(key);
    if (existing) return existing;
    const metadata = { resourceVersion: '10000', ...(end < podCount && { continue: String(end) }) };
    const items = this.#pods.slice(start, end).join(',');
    const page = Buffer.from(
      `{"kind":"PodList","apiVersion":"v1","metadata":${JSON.stringify(metadata)},"items":[${items}]}\n`,
    );
    this.#pages.set(key, page);
    return page;
  }

  #watch(mode: Mode, earlier: number, response: ServerResponse): void {
    if (mode === 'broken' && earlier === 0) {
      const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'InternalError', code: 500 };
      response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify(status));
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    if (mode === 'events' && earlier === 0) void this.#stream(response);
    // A silent watch stays open and never says anything, as when a firewall forgot the connection.
  }

  async #stream(response: ServerResponse): Promise<void> {
    for (let sent = 0; sent < eventCount; sent++) {
      const text = this.#pods[sent % podCount]?.replace(
        /"resourceVersion":"\d+"/,
        `"resourceVersion":"${10_001 + sent}"`,
      );
      const line = `{"type":"MODIFIED","object":${text}}\n`;
      if (!response.write(line)) await new Promise<void>((resolve) => response.once('drain', resolve));
    }
  }
}

/** A pod as a Deployment makes them, with the managed fields of its three writers. */
function pod(index: number): { metadata: ObjectMeta; spec: object; status: object } {
  const app = `service-${index % 200}`;
  const hash = (index * 2_654_435_761).toString(16).slice(0, 10);
  const name = `${app}-${hash}-${index.toString(36).padStart(5, 'x')}`;
  const uid = `${(index + 4_096).toString(16).padStart(8, '0')}-5a0e-4c51-9f6e-${(index * 7919).toString(16).padStart(12, '0')}`;
  const node = `aks-pool-${index % 50}-vmss00000${index % 9}`;
  const time = new Date(1_700_000_000_000 + index * 1000).toISOString().replace('.000', '');
  const address = `10.${(index >> 8) & 255}.${index & 255}.7`;
  const manager = (manager: string, operation: string, fields: object) => ({
    manager,
    operation,
    apiVersion: 'v1',
    time,
    fieldsType: 'FieldsV1',
    fieldsV1: fields,
  });
  const condition = (type: string) => ({ type, status: 'True', lastProbeTime: null, lastTransitionTime: time });
  return {
    metadata: {
      name,
      generateName: `${app}-${hash}-`,
      namespace: `team-${index % 40}`,
      uid,
      resourceVersion: String(1000 + index),
      creationTimestamp: time,
      labels: { app, 'app.kubernetes.io/part-of': 'shop', 'pod-template-hash': hash, aadpodidbinding: app },
      annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '9090' },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: `${app}-${hash}`,
          uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      managedFields: [
        manager('kube-controller-manager', 'Update', {
          'f:metadata': { 'f:generateName': {}, 'f:labels': { '.': {}, 'f:app': {}, 'f:pod-template-hash': {} } },
          'f:spec': {
            'f:containers': { 'k:{"name":"main"}': { '.': {}, 'f:image': {}, 'f:name': {}, 'f:resources': {} } },
          },
        }),
        manager('kubelet', 'Update', {
          'f:status': {
            'f:conditions': { 'k:{"type":"Ready"}': { '.': {}, 'f:status': {} } },
            'f:podIP': {},
            'f:phase': {},
          },
        }),
      ],
    },
    spec: {
      volumes: [{ name: 'token', secret: { secretName: `${app}-token-x7k2p`, defaultMode: 420 } }],
      containers: [
        {
          name: 'main',
          image: `registry.example.org/shop/${app}:1.${index % 30}.0`,
          ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
          resources: { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
          volumeMounts: [{ name: 'token', readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }],
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
          imagePullPolicy: 'IfNotPresent',
        },
      ],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      serviceAccountName: app,
      nodeName: node,
      securityContext: {},
      schedulerName: 'default-scheduler',
      tolerations: [
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
        { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      ],
    },
    status: {
      phase: 'Running',
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(condition),
      hostIP: `10.240.0.${index % 250}`,
      podIP: address,
      podIPs: [{ ip: address }],
      startTime: time,
      containerStatuses: [
        {
          name: 'main',
          state: { running: { startedAt: time } },
          ready: true,
          restartCount: 0,
          image: `registry.example.org/shop/${app}:1.${index % 30}.0`,
          imageID: `registry.example.org/shop/${app}@sha256:${uid.replaceAll('-', '').repeat(2)}`,
          containerID: `containerd://${uid.replaceAll('-', '').repeat(2)}`,
          started: true,
        },
      ],
      qosClass: 'Burstable',
    },
  };
}
