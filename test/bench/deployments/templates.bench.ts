import { manifestsOf } from '../../../runtime/compute/manifests/manifests.ts';
import { expandTemplate } from '../../../runtime/compute/templates/expand-template.ts';
import { context } from '../../compute/templates/support.ts';
import type { Bench, Figure } from '../bench.ts';
import { expansionMemory } from './expansion-process.ts';
import { publicTemplates } from './public-templates.ts';

const sizes = [100, 200, 400, 800] as const;
const runs = 9;
const goals = { expand: 150, objects: 500, linear: 1.5 };

/** A template of this many resources: half of them machines, half of them network interfaces. */
function template(count: number): string {
  const location = '[resourceGroup().location]';
  const nic = "[resourceId('Microsoft.Network/networkInterfaces', concat('nic', copyIndex()))]";
  const subnet = "[resourceId('Microsoft.Network/virtualNetworks/subnets', 'net', parameters('subnet'))]";
  const half = { count: count / 2 };
  return JSON.stringify({
    $schema: 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#',
    contentVersion: '1.0.0.0',
    parameters: { subnet: { type: 'string', defaultValue: 'front' }, disks: { type: 'int', defaultValue: 2 } },
    variables: { tags: { name: "[toLower('BENCH')]" } },
    resources: [
      {
        type: 'Microsoft.Network/networkInterfaces',
        apiVersion: '2020-11-01',
        name: "[concat('nic', copyIndex())]",
        location,
        tags: "[variables('tags')]",
        copy: { name: 'nics', ...half },
        properties: { ipConfigurations: [{ name: 'ip', properties: { subnet: { id: subnet } } }] },
      },
      {
        type: 'Microsoft.Compute/virtualMachines',
        apiVersion: '2022-03-01',
        name: "[format('vm{0}', copyIndex())]",
        location,
        copy: { name: 'vms', ...half },
        dependsOn: [nic],
        properties: {
          hardwareProfile: { vmSize: 'Standard_B2s' },
          osProfile: { computerName: "[concat('vm', copyIndex())]", adminUsername: 'azureuser' },
          storageProfile: {
            osDisk: { createOption: 'FromImage' },
            copy: [
              {
                name: 'dataDisks',
                count: "[parameters('disks')]",
                input: { lun: "[copyIndex('dataDisks')]", createOption: 'Empty', diskSizeGB: 64 },
              },
            ],
          },
          networkProfile: { networkInterfaces: [{ id: nic }] },
        },
      },
    ],
  });
}

/** CPU milliseconds of this process for one call, the least of several calls. */
function cpuMs(work: () => void): number {
  const times = Array.from({ length: runs }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

export const bench: Bench = {
  name: 'templates',
  description: `ARM templates of ${sizes.join(', ')} resources, CPU of the quickest of ${runs} expansions; the largest public templates; memory of the process`,
  async run() {
    const measured = sizes.map((count) => {
      const text = template(count);
      const expanded = expandTemplate(text, context);
      const { manifests, problems } = manifestsOf(expanded, { namespace: 'bench' });
      const isWhole = expanded.problems.length + problems.length === 0 && manifests.length === count;
      if (!isWhole) throw new Error(`The template of ${count} resources does not expand`);
      const expand = cpuMs(() => expandTemplate(text, context));
      const objects = cpuMs(() => manifestsOf(expanded, { namespace: 'bench' }));
      const bodies = JSON.stringify(expanded.resources);
      const json = cpuMs(() => JSON.stringify(JSON.parse(bodies)));
      return { count, expand, objects, json };
    });
    const [first, last] = [measured[0], measured.at(-1)] as [(typeof measured)[number], (typeof measured)[number]];
    const ms = (value: number) => `${value.toFixed(1)} ms`;
    const row = (what: string, key: 'expand' | 'objects', at: (typeof measured)[number], goal?: number): Figure => ({
      what: `${at.count} resources: ${what}`,
      ours: ms(at[key]),
      theirs: `${ms(at.json)} for JSON.parse and stringify of the result`,
      goal: goal === undefined ? 'shown' : `under ${goal} ms`,
      ok: goal === undefined || at[key] < goal,
    });
    const linear = (what: string, key: 'expand' | 'objects'): Figure => {
      const ratio = last[key] / last.count / (first[key] / first.count);
      const goal = `at most ${goals.linear}x of ${first.count}`;
      return {
        what: `${what} of one of ${last.count}`,
        ours: ratio.toFixed(2),
        theirs: '',
        goal,
        ok: ratio <= goals.linear,
      };
    };
    return [
      ...measured.map((at) => row('expansion', 'expand', at, at === last ? goals.expand : undefined)),
      linear('expansion', 'expand'),
      ...measured.map((at) => row('objects', 'objects', at, at === last ? goals.objects : undefined)),
      linear('objects', 'objects'),
      ...(await publicTemplates()),
      ...(await expansionMemory(template(800))),
    ];
  },
};
