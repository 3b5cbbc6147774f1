import { hideSecrets } from '../azure/arm-errors.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { AzimuthError, messageOf } from '../base/errors.ts';
import type { VolumeFile } from './atomic-writer.ts';
import { type DriverAnswer, plainAnswer } from './driver-answer.ts';
import { appendLog } from './driver-log.ts';
import { fetchObjects } from './fetch.ts';
import { readFlexOptions } from './flex-options.ts';
import type { Mounts } from './mounts.ts';
import type { DriverSettings } from './settings.ts';
import { clearStages } from './stage.ts';
import { withVault } from './vault-session.ts';
import { checkDirectory, mountVolume, unmountVolume } from './volume.ts';
import type { VolumeRequest } from './volume-request.ts';

export interface DriverOptions {
  readonly settings: DriverSettings;
  readonly env: NodeJS.ProcessEnv;
  readonly mounts: Mounts;
  /** Aborts when the process is told to end. */
  readonly signal: AbortSignal;
  /** @default systemClock */
  readonly clock?: Clock;
  /** The files of a volume. @default those of the vault */
  readonly content?: (request: VolumeRequest, options: DriverOptions) => Promise<readonly VolumeFile[]>;
  /** Called before each step, for tests that end the process there. */
  readonly step?: (name: string) => void;
}

/** One call of kubelet: `argv` is what follows the program's name. Resolves to the answer in every case. */
export async function runDriver(argv: readonly string[], options: DriverOptions): Promise<DriverAnswer> {
  const { settings, clock = systemClock } = options;
  const [command, directory = '', document = ''] = argv;
  const plain = plainAnswer(command);
  if (plain) return plain;
  const started = clock.monotonic();
  const answer = await work(argv, options).then(
    (): DriverAnswer => ({ status: 'Success' }),
    (error: unknown): DriverAnswer => ({
      status: 'Failure',
      message: hideSecrets(toldOf(error), secretsIn(document)),
    }),
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
  await clearStages(settings.stateDirectory, mounts);
  if (command === 'mount') await mount(directory, document, options);
  else await unmountVolume(directory, mounts);
}

async function mount(directory: string, document: string, options: DriverOptions): Promise<void> {
  const { settings, mounts, step } = options;
  // A mount that is there is a finished one, whatever the options say now.
  if (mounts.isMounted(directory)) return;
  const request = readFlexOptions(document);
  checkPod(directory, request);
  const { content = fetchFiles } = options;
  await mountVolume(directory, () => content(request, options), {
    mounts,
    stateDirectory: settings.stateDirectory,
    sizeBytes: settings.volumeBytes,
    group: request.fsGroup,
    ...(step && { step }),
  });
}

/** A pod's own options replace kubelet's keys, but not the path, which has the uid that kubelet knows the pod by. */
function checkPod(directory: string, { pod }: VolumeRequest): void {
  const uid = /\/pods\/([^/]+)\/volumes\//.exec(directory)?.[1];
  if (uid === undefined || pod.uid === '' || uid === pod.uid) return;
  throw new AzimuthError(
    'AZ_CONFIG_INVALID',
    `validation failed, the volume belongs to the pod with uid ${uid}, but the options say ${pod.uid.slice(0, 80)}; ` +
      "remove the kubernetes.io keys from the volume's options",
  );
}

/** The files of a volume, within the deadline. */
function fetchFiles(request: VolumeRequest, options: DriverOptions): Promise<VolumeFile[]> {
  return withVault(request, options, async (vault) => {
    const fetched = await fetchObjects(request.objects, vault);
    const mode = request.filePermission ?? options.settings.filePermission;
    return fetched.map(({ request: { file }, content }) => ({ name: file, content, mode }));
  });
}

/** The message with the reasons beneath it that it does not repeat, on one line. */
function toldOf(error: unknown): string {
  const told = messageOf(error);
  const code = error instanceof AzimuthError ? `${error.code}: ` : '';
  // The wording of upstream, which users search for, stays at the front.
  return told.startsWith('validation failed') ? told : `${code}${told}`;
}

/** Every text that must not be told: the Secret's values, plain and as they may be written elsewhere. */
function secretsIn(document: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(document);
  } catch {
    return [];
  }
  return Object.entries(value ?? {})
    .filter(([name, text]) => /^kubernetes\.io\/secret\//i.test(name) && typeof text === 'string')
    .filter(([name]) => !/clientid$/i.test(name))
    .flatMap(([, text]) => {
      const plain = Buffer.from(text as string, 'base64')
        .toString('utf8')
        .trim();
      return [text as string, plain, encodeURIComponent(plain)];
    })
    .filter((text) => text.length >= 4);
}
