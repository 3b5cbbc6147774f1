import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KubeObject, ResourceType } from '../../../runtime/kube/client/types.ts';
import { ScaledClock } from '../../fakes/scaled-clock.ts';
import { condition, core, type RunningOperator, secrets, startWorld, types, until, type World } from '../support.ts';
import { deploymentType, runType } from './deployment-world.ts';
import {
  location,
  names,
  type PublicTemplate,
  publicTemplates,
  secretName,
  templateFolder,
} from './public-templates.ts';

const templates = templateFolder === '' ? [] : publicTemplates();
let world: World;
let operator: RunningOperator;

beforeAll(async () => {
  const nodes = templates.flatMap((each) => each.nodes);
  const kinds = new Set(nodes.map(({ group, kind }) => `${group}/${kind}`));
  const versions = [...new Set(nodes.map(({ manifest }) => String(manifest['apiVersion'])))];
  world = await startWorld({ kinds: [...kinds].join(';'), versions, deployments: true, clock: new ScaledClock(10) });
  operator = await world.startOperator();
});
afterAll(() => world?.close());

const namespaces = { ...core('namespaces', 'Namespace'), namespaced: false };

const apply = (type: ResourceType, name: string, namespace: string, content: object) =>
  world.client.apply(
    type,
    {
      apiVersion: type.group === '' ? type.version : `${type.group}/${type.version}`,
      kind: type.kind,
      metadata: { name, ...(type.namespaced && { namespace }) },
      ...content,
    } as KubeObject,
    { fieldManager: 'test', force: true },
  );

async function deploy({ name, json }: PublicTemplate, parameters: object): Promise<void> {
  const template = { arm: { json, owner: { name } } };
  await apply(deploymentType, name, name, { spec: { locations: [{ name: location }], parameters, template } });
}

/** What keeps this run of the deployment from its end; '' once it has succeeded. */
async function obstacle(name: string, number: number): Promise<string> {
  const { items } = await world.client.list(runType, { namespace: name });
  const run = items.find(({ spec, status }) => spec.location === undefined && status?.number === number);
  const { state = 'missing', message = '' } = run?.['status'] ?? {};
  if (state === 'Succeeded') return '';
  const ready = condition(await world.client.tryGet(deploymentType, { namespace: name, name }));
  return `${name}: run ${number} is ${state}: ${message || ready?.message}`;
}

/** Waits for this run of each deployment. */
async function succeeded(number: number): Promise<void> {
  const left = new Map(templates.map(({ name }) => [name, 'not asked']));
  await until(
    () => [...left.values()].join('\n'),
    async () => {
      for (const name of left.keys()) {
        const found = await obstacle(name, number);
        if (found === '') left.delete(name);
        else left.set(name, found);
      }
      return left.size === 0;
    },
  );
}

const writes = (after: number) =>
  ['PUT', 'PATCH', 'DELETE'].flatMap((method) => world.azure.journal.entries({ service: 'arm', method, after }));
const lastEntry = () => world.azure.journal.entries().at(-1)?.seq ?? 0;
/** Paths of Azure, by the group of the template that they belong to. */
const pathsIn = (entries: readonly { readonly path: string }[], { name }: PublicTemplate) =>
  entries.map(({ path }) => path).filter((path) => path.toLowerCase().includes(`/resourcegroups/${name}/`));

if (templates.length === 0) test.skip('NOT RUN: there is no ../shared/templates/corpus', () => undefined);
else {
  test('public templates run to their end, each in a namespace and a group of its own', async () => {
    expect(templates.map(({ name }) => name)).toEqual(names);
    await Promise.all(
      templates.map(async (template) => {
        const { name, parameters } = template;
        await apply(namespaces, name, name, {});
        await apply(secrets, secretName, name, { stringData: template.secrets });
        await apply(types.group, name, name, { spec: { location } });
        await deploy(template, parameters);
      }),
    );
    await succeeded(1);
  });

  test('an operator that starts after that reads each resource, and writes nothing', async () => {
    await operator.stop();
    const start = lastEntry();
    operator = await world.startOperator();
    await until('each resource is read', () => {
      const reads = world.azure.journal.entries({ service: 'arm', method: 'GET', after: start });
      return templates.every((each) => new Set(pathsIn(reads, each)).size >= each.nodes.length);
    });
    expect(writes(start).map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  test('another value of a parameter changes the resources that have it, and deletes none', async () => {
    const start = lastEntry();
    await Promise.all(templates.map((each) => deploy(each, each.changed)));
    await succeeded(2);
    const written = writes(start);
    expect(written.filter(({ method }) => method === 'DELETE').map(({ path }) => path)).toEqual([]);
    expect(templates.filter((each) => pathsIn(written, each).length === 0).map(({ name }) => name)).toEqual([]);
  });

  test('a deployment that is deleted leaves nothing behind', async () => {
    for (const { name } of templates) await world.client.delete(deploymentType, { namespace: name, name });
    let rest: string[] = [];
    await until(
      () => rest.join('\n'),
      async () => {
        const { items } = await world.client.list(deploymentType);
        rest = items.map((each) => `${each.metadata.name}: ${condition(each)?.message}`);
        return rest.length === 0;
      },
    );
    const left = [];
    for (const { name } of templates) {
      const group = (await world.client.get(types.group, { namespace: name, name }))['status'].id as string;
      const { body } = await world.portal.arm('GET', `${group}/resources`, '2021-04-01');
      left.push(...(body.value as { id: string }[]).map(({ id }) => id));
    }
    expect(left).toEqual([]);
  });
}
