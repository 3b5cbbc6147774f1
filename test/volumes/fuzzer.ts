import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDriver } from '../../runtime/volumes/driver/driver.ts';
import { writtenAnswer } from '../../runtime/volumes/driver/driver-answer.ts';
import { requestOf } from '../../runtime/volumes/driver/mount-request.ts';
import type { Mounts } from '../../runtime/volumes/mount/mounts.ts';
import { defaultSettings } from '../../runtime/volumes/options/settings.ts';

export interface FuzzResult {
  readonly rounds: number;
  readonly mounted: number;
  /** What went against the rules, with the document. */
  readonly problems: readonly string[];
}

const secretText = 'q7-the-client-secret-Zx';
const uid = '6f0e9c1a-0000-4000-8000-00000000abcd';

/**
 * Mounts that are directories: nothing of the machine is touched. Every other volume is made ready in `place`, as where a
 * tmpfs can be had that is mounted nowhere.
 */
function plainMounts(place: string): Mounts {
  const mounted = new Set<string>();
  let volumes = 0;
  return {
    isMounted: (directory) => mounted.has(directory),
    below: (directory) => [...mounted].filter((one) => one === directory || one.startsWith(`${directory}/`)),
    detached() {
      if (++volumes % 2 === 0) return undefined;
      rmSync(place, { recursive: true, force: true });
      mkdirSync(place);
      return openSync(place, 'r');
    },
    attach(_, directory) {
      // Every other one of these cannot be shown.
      if (volumes % 4 === 1) return false;
      cpSync(place, directory, { recursive: true, verbatimSymlinks: true });
      mounted.add(directory);
      return true;
    },
    tmpfs(directory) {
      mounted.add(directory);
    },
    bind(from, to) {
      cpSync(from, to, { recursive: true, verbatimSymlinks: true });
      mounted.add(to);
    },
    unmount(directory) {
      mounted.delete(directory);
      for (const entry of readdirSync(directory)) rmSync(join(directory, entry), { recursive: true });
    },
    table: () => '',
    tryLock: () => () => undefined,
  };
}

/** A generator of 32 bits (mulberry32), so that a seed names a run. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) % below;
  };
}

export const nasty = [
  '',
  ';',
  ';;',
  '.',
  '..',
  '../escape',
  '../../../../etc/cron.d/x',
  '/etc/passwd',
  'a/../../b',
  '..data',
  '..data_tmp',
  '..2026_01_01_00_00_00.abc',
  'a\0b',
  'a\nb',
  'a\rb',
  '\u2028',
  '\u202egpj',
  '\ud800',
  'a\\b',
  '~',
  '*',
  '$(id)',
  '`id`',
  '%2e%2e%2f',
  'ａ',
  'é',
  'e\u0301',
  'x'.repeat(255),
  'x'.repeat(256),
  'x'.repeat(5000),
  'é'.repeat(128),
  'true',
  'TRUE',
  'false',
  '0',
  '-1',
  '1e3',
  '65536',
  '99999999999999999999',
  '0777',
  '0440',
  '7777',
  'secret',
  'key',
  'cert',
  'raw',
  'pem',
  'pfx',
  'jwk',
  'der',
  'a;b',
  'a;b;c',
  'a;a',
  'A;a',
  '__proto__',
  'constructor',
  '.hidden',
  'tls.crt',
  ' spaced ',
  '{}',
  '"',
];

/** Runs the driver on mutated option documents and names, and checks after each that no file is in a wrong place. */
export async function fuzz(base: string, rounds: number, seed: number): Promise<FuzzResult> {
  const random = randomOf(seed);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const place = mkdtempSync(join(tmpdir(), 'azimuth-fuzz-'));
  const mounts = plainMounts(join(place, 'stage'));
  const directory = join(base, 'pods', uid, 'volumes', 'azure~kv', 'vol');
  const stateDirectory = join(base, 'state');
  mkdirSync(join(base, 'pods', uid, 'volumes', 'azure~kv'), { recursive: true });
  mkdirSync(stateDirectory);
  mkdirSync(join(base, 'log'));
  writeFileSync(join(base, 'canary'), 'untouched');
  const settings = { ...defaultSettings, logFile: join(base, 'log', 'kv.log'), stateDirectory };
  const signal = new AbortController().signal;
  const outside = () =>
    JSON.stringify(
      [base, join(base, 'pods'), join(base, 'pods', uid), join(base, 'pods', uid, 'volumes')].map((one) =>
        readdirSync(one).sort(),
      ),
    );
  const problems: string[] = [];
  let mounted = 0;
  let before = '';

  const valid = (): Record<string, unknown> => {
    const count = 1 + random(3);
    const list = (one: (index: number) => string) => Array.from({ length: count }, (_, index) => one(index)).join(';');
    return {
      tenantid: 't',
      keyvaultname: 'kv1',
      keyvaultobjectnames: list((index) => `name-${index}`),
      keyvaultobjecttypes: list(() => pick(['secret', 'key', 'cert'])),
      keyvaultobjectaliases: list((index) => pick([`${index}${pick(nasty)}`, pick(nasty), '', `alias.${index}`])),
      'kubernetes.io/pod.name': 'p',
      'kubernetes.io/pod.namespace': 'ns',
      'kubernetes.io/pod.uid': uid,
      'kubernetes.io/mounterArgs.FsGroup': '0',
      'kubernetes.io/secret/clientid': Buffer.from('client').toString('base64'),
      'kubernetes.io/secret/clientsecret': Buffer.from(secretText).toString('base64'),
    };
  };
  const mutate = (options: Record<string, unknown>): void => {
    const name = pick(Object.keys(options));
    const change = random(8);
    if (change === 0) delete options[name];
    else if (change === 1) options[name] = pick([null, 1, true, [], {}, ['a'], { a: 'b' }]);
    else if (change === 2) options[name] = `${String(options[name])}${pick(nasty)}`;
    else if (change === 3) options[pick(nasty)] = pick(nasty);
    else if (change === 4)
      options[
        pick([
          'filepermission',
          'fsgroup',
          'refresh',
          'nmiport',
          'cloudname',
          'usepodidentity',
          'keyvaultobjectformats',
          'region',
        ])
      ] = pick(nasty);
    else options[name] = pick(nasty);
  };
  const corrupt = (text: string): string => {
    const at = random(text.length + 1);
    const change = random(3);
    if (change === 0) return text.slice(0, at);
    if (change === 1) return text.slice(0, at) + pick(nasty) + text.slice(at);
    return text.slice(0, at) + String.fromCharCode(random(256)) + text.slice(at + 1);
  };

  for (let round = 0; round < rounds; round++) {
    const options = valid();
    for (let changes = random(4); changes > 0; changes--) mutate(options);
    let document = JSON.stringify(options);
    if (random(8) === 0) document = corrupt(document);
    const problem = (what: string) => problems.push(`round ${round}: ${what}: ${document}`);
    const answer = await runDriver(['mount', directory, document], {
      settings,
      env: {},
      mounts,
      signal,
      content: async (call) => {
        const { objects, filePermission: mode = 0o440, fsGroup: group } = requestOf(call);
        return { group, files: objects.map(({ file }) => ({ name: file, content: Buffer.from(file), mode })) };
      },
    });
    const text = writtenAnswer(answer);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    if (/[\x00-\x1f\u2028\u2029]/.test(text.slice(0, -1)) || !text.endsWith('}\n')) problem('more than one line');
    if (JSON.stringify(JSON.parse(text)) !== JSON.stringify(answer)) problem('the document is another one');
    if (text.includes(secretText) || text.includes(Buffer.from(secretText).toString('base64')))
      problem('the output has the secret');
    if (answer.status === 'Success') {
      mounted++;
      const names = readdirSync(directory).filter((name) => !name.startsWith('..'));
      for (const name of names) {
        if (readFileSync(join(directory, name), 'utf8') !== name) problem(`the file ${JSON.stringify(name)}`);
      }
      const unmounted = await runDriver(['unmount', directory], { settings, env: {}, mounts, signal });
      if (unmounted.status !== 'Success') problem('unmount');
    } else if (existsSync(directory) && readdirSync(directory).length > 0) {
      problem('something is left');
    }
    if (readdirSync(stateDirectory, { recursive: true }).length > 0) problem('the state directory is not empty');
    const now = outside();
    if (round > 0 && now !== before) problem(`something changed outside: ${now}`);
    before = now;
  }
  if (readFileSync(join(base, 'canary'), 'utf8') !== 'untouched') problems.push('the canary');
  rmSync(place, { recursive: true });
  const logged = readFileSync(settings.logFile, 'utf8');
  if (logged.includes(secretText)) problems.push('the log has the secret');
  return { rounds, mounted, problems };
}
