import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import { createKubeClient } from '../../runtime/kube/client/client.ts';
import { listAll } from '../../runtime/kube/client/paginate.ts';
import { isNotFound } from '../../runtime/kube/client/status-error.ts';
import type { KubeClient, KubeObject, ResourceType, WatchOptions } from '../../runtime/kube/client/types.ts';
import type { KubeConnection } from '../../runtime/kube/config/connection.ts';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { eventually } from '../fakes/eventually.ts';
import {
  configMaps,
  customResourceDefinitions,
  deployments,
  namespaces,
  roleBindings,
  roles,
  secrets,
  serviceAccounts,
  widgetDefinition,
  widgetType,
} from './resources.ts';

/** The connection, the namespace and the kind with which a server is tested, and helpers for its objects. */
export interface ClientWorld {
  readonly connection: KubeConnection;
  readonly client: KubeClient;
  /** Part of the names that this run makes, so that runs on one server do not meet. */
  readonly id: string;
  readonly namespace: string;
  /** A custom resource with a status, of an API group of its own. */
  readonly widgets: ResourceType;
  configMap(name: string, more?: Partial<KubeObject> & { labels?: Record<string, string> }): KubeObject;
  widget(name: string, spec: object): KubeObject;
  key(name: string): { readonly namespace: string; readonly name: string };
  /** The error of a request; an error too if the server accepts the request. */
  failure(action: Promise<unknown>): Promise<unknown>;
  names(items: readonly KubeObject[]): string[];
  /** `TYPE name` of the first `count` events, without bookmarks. */
  take(type: ResourceType, count: number, options: WatchOptions): Promise<string[]>;
}

/** Makes namespace and kind before the tests of the enclosing group, and removes them after these. */
export function clientWorld(kubeconfigPath: () => string | Promise<string>): ClientWorld {
  const id = randomBytes(4).toString('hex');
  const namespace = `conformance-${id}`;
  const widgets = widgetType(`conformance-${id}.azimuth.test`);
  let connection: KubeConnection;
  let client: KubeClient;

  const configMap = (mapName: string, more: Partial<KubeObject> & { labels?: Record<string, string> } = {}) => {
    const { labels, ...rest } = more;
    const metadata = { namespace, name: mapName, ...(labels ? { labels } : {}) };
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata, ...rest } as KubeObject;
  };
  const widget = (widgetName: string, spec: object): KubeObject => ({
    apiVersion: `${widgets.group}/v1`,
    kind: 'Widget',
    metadata: { namespace, name: widgetName },
    spec,
  });
  const key = (objectName: string) => ({ namespace, name: objectName });
  const failure = async (action: Promise<unknown>): Promise<unknown> =>
    action.then(
      () => new Error('the request was accepted'),
      (error) => error,
    );
  const names = (items: readonly KubeObject[]) => items.map(({ metadata }) => metadata.name).sort();

  /** Events until `count` have come; bookmarks are left out. */
  const take = async (type: ResourceType, count: number, options: WatchOptions): Promise<string[]> => {
    const seen: string[] = [];
    const signal = AbortSignal.timeout(60_000);
    for await (const event of client.watch(type, { namespace, signal, ...options })) {
      if (event.type !== 'BOOKMARK') seen.push(`${event.type} ${event.object.metadata.name}`);
      if (seen.length === count) break;
    }
    return seen;
  };

  beforeAll(async () => {
    connection = loadKubeConnection({ kubeconfig: await kubeconfigPath() });
    client = createKubeClient(connection, { userAgent: 'azimuth-conformance' });
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    await client.create(customResourceDefinitions, widgetDefinition(widgets));
    await eventually('the custom resource is served', async () => {
      try {
        await client.list(widgets);
        return true;
      } catch (error) {
        if (isNotFound(error)) return false;
        throw error;
      }
    });
  });

  afterAll(async () => {
    for (const item of (await listAll(client, widgets)).items) {
      const removal = { type: 'merge', body: { metadata: { finalizers: null } } } as const;
      await client.patch(widgets, item.metadata, removal);
    }
    await client.delete(customResourceDefinitions, { name: `widgets.${widgets.group}` });
    for (const type of [configMaps, secrets, serviceAccounts, roles, roleBindings, deployments]) {
      for (const { metadata } of (await listAll(client, type, { namespace })).items) {
        await client.delete(type, metadata, { propagationPolicy: 'Background' });
      }
    }
    await client.delete(namespaces, { name: namespace });
    const left = await client.tryGet(namespaces, { name: namespace });
    if (left) {
      // Where no controller finalizes namespaces, this does.
      const done = { ...left, spec: { finalizers: [] } };
      await client.replace(namespaces, done, { subresource: 'finalize' }).catch((error) => {
        if (!isNotFound(error)) throw error;
      });
    }
    await client.close();
  });

  return {
    get connection() {
      return connection;
    },
    get client() {
      return client;
    },
    id,
    namespace,
    widgets,
    configMap,
    widget,
    key,
    failure,
    names,
    take,
  };
}
