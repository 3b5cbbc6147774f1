import { annotations } from '../arm-kinds/names.ts';
import type { KubeObject } from '../kube/client/types.ts';
import { ownerOf } from '../view/model/forest.ts';
import { shown } from '../view/model/row-of.ts';
import { textTable } from '../view/text-table.ts';
import type { UninstallMode } from './config.ts';
import { type Item, nameOf } from './inventory.ts';
import { isAzureResource, isKept } from './order.ts';
import type { Programs } from './programs.ts';
import { type Tool, toolOf } from './tools.ts';

/** Objects that a line names. */
const mostNamed = 10;
const armIdLength = 1024;

/** Objects, definitions and programs that the command found in the cluster. */
export interface Found {
  readonly items: readonly Item[];
  readonly definitions: readonly KubeObject[];
  readonly programs: Programs;
}

/** The steps of the command in their order. Names and ARM ids only, no value of an object. */
export function renderPlan({ items, definitions, programs }: Found, mode: UninstallMode): string {
  const rows = items.map((item) => [
    item.row.namespace || '-',
    `${item.row.kind}/${item.row.name}`,
    fateOf(item, mode),
  ]);
  const others = programs.own.map(({ object: { kind, metadata } }) => [
    metadata.namespace ?? '-',
    `${kind}/${metadata.name}`,
  ]);
  return [
    ...section(`1. Objects (${rows.length})`, [['NAMESPACE', 'OBJECT', 'IN AZURE'], ...rows]),
    ...section(`2. Programs (${others.length})`, [['NAMESPACE', 'OBJECT'], ...others]),
    `3. Definitions (${definitions.length})`,
    ...warningsOf(items, mode).map((line) => `Note: ${line}`),
    ...endOf(programs),
  ].join('\n');
}

const section = (title: string, [head = [], ...rows]: string[][]): string[] =>
  rows.length === 0 ? [title] : [title, ...textTable([head, ...rows]).map((line) => `   ${line}`)];

/** Remains in Azure of objects without a resource of their own, whether they are deleted or not. */
const leftByKind: Readonly<Record<string, string>> = {
  ManagedSecret: 'stays: its secrets in the vaults',
  FeatureRegistration: 'stays: the registration of the feature',
};

function fateOf(item: Item, mode: UninstallMode): string {
  if (!isAzureResource(item)) return leftByKind[item.row.kind] ?? '';
  const { row, object } = item;
  // The status has the ARM id after the PUT, the annotation before it.
  const announced = shown(object.metadata.annotations?.[annotations.resourceId], armIdLength);
  const id = row.armId || (announced && `${announced} (may not exist yet)`);
  if (id === '') return 'not there yet';
  return mode === 'keep-azure' || isKept(item) ? `stays: ${id}` : `is deleted: ${id}`;
}

function warningsOf(items: readonly Item[], mode: UninstallMode): string[] {
  const warnings: string[] = [];
  if (mode === 'delete') {
    const byId = new Map(items.map((item) => [item.row.id, item]));
    for (const item of items.filter((each) => isAzureResource(each) && isKept(each))) {
      const owner = byId.get(ownerOf(item.row, (id) => byId.get(id)?.row)?.id ?? '');
      if (!owner || isKept(owner)) continue;
      const text = `${item.row.kind}/${item.row.name} in ${item.row.namespace}`;
      warnings.push(
        `${text} keeps its resource, but Azure deletes it together with its owner ${owner.row.kind}/${owner.row.name}`,
      );
    }
  }
  const deleting = items.filter(({ object }) => object.metadata.deletionTimestamp !== undefined).length;
  if (mode === 'keep-azure' && deleting > 0)
    warnings.push(`${deleting} objects are being deleted already: Azure may have deleted their resources`);
  return [...warnings, ...marksOf(items)];
}

/** The tools to stop first. Nothing here deletes: the operator would delete the resources together with the objects. */
function marksOf(items: readonly Item[]): string[] {
  const byTool = new Map<string, { readonly tool: Tool; readonly marked: Item[] }>();
  for (const item of items) {
    const tool = toolOf(item.object);
    if (!tool) continue;
    const toolObjects = byTool.get(tool.stop);
    if (toolObjects) toolObjects.marked.push(item);
    else byTool.set(tool.stop, { tool, marked: [item] });
  }
  return [...byTool.values()].map(({ tool: { stop, owner }, marked: [first, ...more] }) => {
    const objects = `${first ? nameOf(first) : ''}${more.length > 0 ? ` and ${more.length} more` : ''}`;
    return (
      `a tool would apply ${objects} again. Before --yes: ${stop}. Delete no ${owner} before the command has ended: ` +
      'that can delete its objects, and the operator then deletes their resources in Azure'
    );
  });
}

/** The steps that people have to do after the command. */
export function endOf({ tools, untrusted, foreign, namespaces }: Programs): string[] {
  const left = (objects: readonly string[], why: string) => {
    const more = objects.length > mostNamed ? ` and ${objects.length - mostNamed} more` : '';
    return objects.length === 0 ? [] : [`Left as they are, ${why}: ${objects.slice(0, mostNamed).join(', ')}${more}`];
  };
  return [
    ...tools.map((tool) => `Then remove the programs that another tool manages: ${tool}`),
    ...left(untrusted, 'with the mark of a tool in a namespace without a program of Azimuth'),
    ...left(foreign, 'with the label of Azimuth, but not of its manifests (delete them by hand if they are yours)'),
    ...(namespaces.length > 0
      ? [
          `Then delete the namespaces, with the Secrets in them: kubectl delete namespace ${namespaces.map((name) => shown(name, 63)).join(' ')}`,
        ]
      : []),
  ];
}
