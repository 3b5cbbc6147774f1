import { systemClock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import { checkDirectory, mountVolume, unmountVolume, type VolumeContent } from '../mount/mount.ts';
import { clearPrivateTmpfs } from '../mount/private-tmpfs.ts';
import { reserveMemory } from '../mount/reserve-memory.ts';
import { AgentAway, askAgent } from './agent-client.ts';
import { type DriverAnswer, plainAnswer } from './driver-answer.ts';
import { appendLog } from './driver-log.ts';
import type { DriverOptions } from './driver-options.ts';
import { type MountRecord, recordDirectory, removeRecord, writeRecord } from './mount-record.ts';
import type { MountCall } from './mount-request.ts';

/** Runs one call of kubelet; `argv`: the arguments after the program name. Always resolves to an answer. */
export async function runDriver(argv: readonly string[], options: DriverOptions): Promise<DriverAnswer> {
  const { settings, clock = systemClock } = options;
  const [command, directory = '', document = ''] = argv;
  const plain = plainAnswer(command);
  if (plain) return plain;
  const started = clock.monotonic();
  const answer = await work(argv, options).then(
    (): DriverAnswer => ({ status: 'Success' }),
    async (error: unknown): Promise<DriverAnswer> => {
      const { failureMessage } = await import('./driver-message.ts');
      return { status: 'Failure', message: failureMessage(error, document) };
    },
  );
  const ms = Math.round(clock.monotonic() - started);
  const { user, system } = process.cpuUsage();
  const cpuMs = Math.round((user + system) / 1000);
  appendLog(settings.logFile, { command, directory: directory.slice(0, 4096), ms, cpuMs, ...answer });
  return answer;
}

async function work(argv: readonly string[], options: DriverOptions): Promise<void> {
  const { settings, mounts } = options;
  const [command, directory = '', document = ''] = argv;
  if (argv.length !== (command === 'mount' ? 3 : 2)) {
    throw new AzimuthError('AZ_CONFIG_INVALID', 'Expected `mount DIRECTORY JSON` or `unmount DIRECTORY`');
  }
  checkDirectory(directory);
  clearPrivateTmpfs(settings.stateDirectory, mounts);
  if (command === 'mount') return mount({ directory, document }, options);
  await unmountVolume(directory, mounts);
  if (settings.agentSocket !== '') removeRecord(recordDirectory(settings.agentSocket), directory);
}

async function mount(call: MountCall, options: DriverOptions): Promise<void> {
  const { settings, mounts, step, content = agentContent } = options;
  const recordOf = ({ versions }: VolumeContent): MountRecord | undefined =>
    versions && settings.agentSocket !== '' ? { ...call, versions } : undefined;
  await mountVolume(call.directory, () => content(call, options), {
    mounts,
    stateDirectory: settings.stateDirectory,
    sizeBytes: settings.volumeBytes,
    reserve(fetched) {
      const record = recordOf(fetched);
      return reserveMemory(fetched, record ? JSON.stringify(record) : '', options);
    },
    record(fetched) {
      const record = recordOf(fetched);
      if (record) writeRecord(recordDirectory(settings.agentSocket), record);
    },
    ...(step && { step }),
  });
}

/** Reads the content through the agent, or here where the agent is absent and the volume does not need it. */
async function agentContent(call: MountCall, options: DriverOptions): Promise<VolumeContent> {
  const { settings, signal } = options;
  if (settings.agentSocket !== '') {
    try {
      const timeoutMs = (settings.deadlineSeconds + 10) * 1000;
      return await askAgent(call, { socket: settings.agentSocket, timeoutMs, signal });
    } catch (error) {
      if (!(error instanceof AgentAway)) throw error;
    }
  }
  // Loaded on demand: TLS and cryptography take most of the start time.
  const { directContent } = await import('./read-without-agent.ts');
  return directContent(call, options);
}
