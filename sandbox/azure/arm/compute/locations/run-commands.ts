import { type Exchange, type Reply, refuse } from '../../../exchange.ts';
import type { Json } from '../../../json.ts';
import { page } from '../../paging.ts';
import type { ResourcePath } from '../../resources/resource-path.ts';

type Command = readonly [id: string, osType: 'Linux' | 'Windows', label: string];

/** The commands that `runCommand` of a machine takes, as far as the sandbox knows them. */
const commands: readonly Command[] = [
  ['RunShellScript', 'Linux', 'Executes a Linux shell script'],
  ['ifconfig', 'Linux', 'List network configuration'],
  ['RunPowerShellScript', 'Windows', 'Executes a PowerShell script'],
  ['IPConfig', 'Windows', 'List IP configuration'],
  ['EnableRemotePS', 'Windows', 'Enable remote PowerShell'],
  ['EnableAdminAccount', 'Windows', 'Enable administrator account'],
  ['RDPSettings', 'Windows', 'Verify RDP Listener Settings'],
  ['SetRDPPort', 'Windows', 'Set Remote Desktop port'],
];

/** `locations/{location}/runCommands` and one of them; undefined for any other path. */
export function runCommands(exchange: Exchange, path: ResourcePath, pageSize: number): Reply | undefined {
  const isList = path.types.length === 1 && path.tail?.toLowerCase() === 'runcommands';
  if (isList) return page(exchange, commands.map(documentOf), pageSize);
  if (path.types.length !== 2 || path.types[1]?.toLowerCase() !== 'runcommands') return undefined;
  const command = commands.find(([id]) => id.toLowerCase() === path.name.toLowerCase());
  if (!command) throw refuse(404, 'NotFound', `The entity was not found: the run command '${path.name}'.`);
  const script = command[1] === 'Linux' ? ['echo'] : ['Write-Output'];
  return { status: 200, body: { ...documentOf(command), script, parameters: [] } };
}

const documentOf = ([id, osType, label]: Command): Json => ({
  $schema: 'https://schema.management.azure.com/schemas/2016-11-17/runcommands.json',
  id,
  osType,
  label,
  description: `${label}.`,
});
