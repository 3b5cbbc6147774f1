/** What the current Azure SDKs do with the refusals of the node daemon: how long they take, and what a developer reads. */
import { spawn } from 'node:child_process';
import { afterAll, expect, test } from '@jest/globals';
import type { SdkProgram } from '../../tools/judges/sdks.ts';
import { eventually } from '../fakes/eventually.ts';
import {
  anyCredential,
  binding,
  bindingsType,
  type Harness,
  type HarnessOptions,
  identitiesType,
  identity,
  pod,
  podsType,
  secretsType,
  simple,
  startNmi,
} from '../nmi/harness.ts';

const programs = JSON.parse(process.env['AZIMUTH_SDKS'] || '[]') as SdkProgram[];
/** Callers of the namespace's own address have it as their source too. */
const ip = '169.254.169.254';
const args = ['--nmi-listen-address=169.254.169.254', '--nmi-port=80'];
const stranger = '00000000-0000-4000-8000-00000000000a';
/** A chain that takes longer stalls; the first five seconds are the daemon's own. */
const stallsAfterMs = 15_000;

/** Texts of SDKs that replace the description of a 400 by one of their own. */
const ownWords: Readonly<Record<string, RegExp>> = {
  'Java default': /Managed Identity authentication is not available/,
  'Rust managed': /The requested identity has not been assigned to this resource/,
};

interface Refusal extends HarnessOptions {
  readonly name: string;
  readonly clientId?: string;
  readonly set: (nmi: Harness) => Promise<unknown>;
  /** The reason that the developer has to see; `token` where the SDK has to get one after its retries. */
  readonly shows: RegExp;
  /** Whether the answer is 400. */
  readonly noIdentity?: boolean;
}

const spec = { type: 1, tenantID: 'tenant', clientPassword: { namespace: 'app', name: 's' } };
const principal = async (nmi: Harness) => {
  await nmi.kube.put(secretsType, {
    metadata: { namespace: 'app', name: 's' },
    data: { clientSecret: 'cHc=' },
  } as never);
  await nmi.kube.put(identitiesType, identity('id', spec));
  await nmi.kube.put(bindingsType, binding());
  await nmi.kube.put(podsType, pod({ ip }));
};
const managed = ['--operation-mode=managed', '--forceNamespaced', '--token-cache=off'];
const refuse =
  (status: number, code: string, headers = {}) =>
  () => ({
    status,
    headers,
    body: { error: 'invalid_client', error_description: `${code}: The words of Entra. Trace ID: x` },
  });
let failures = 0;

const refusals: readonly Refusal[] = [
  {
    name: 'a pod without an identity',
    set: (nmi) => nmi.kube.put(podsType, pod({ ip, label: '' })),
    shows: /the pod has no label aadpodidbinding/,
    noIdentity: true,
  },
  {
    name: 'a client id that no binding names',
    clientId: stranger,
    set: async (nmi) => {
      await simple(nmi);
      await nmi.kube.put(podsType, pod({ ip }));
    },
    shows: /no AzureIdentity of the pod has the id of the request/,
    noIdentity: true,
  },
  {
    name: 'an identity outside its availability',
    args: managed,
    set: async (nmi) => {
      await principal(nmi);
      await nmi.kube.put(bindingsType, binding('b', { availability: { notAfter: '2020-01-01T00:00:00Z' } }));
    },
    shows: /not available now/,
  },
  {
    name: 'a credential that Entra refuses',
    args: managed,
    aad: refuse(401, 'AADSTS7000222'),
    set: principal,
    shows: /AADSTS7000222/,
  },
  {
    name: 'a failure of Entra that ends',
    args: managed,
    aad: (request) => (failures-- > 0 ? refuse(429, 'AADSTS90055', { 'retry-after': '3' })() : anyCredential(request)),
    set: async (nmi) => {
      failures = 1;
      await principal(nmi);
    },
    shows: /^token$/,
  },
];

const table: string[] = [];
afterAll(() => {
  const head = `| refusal | credential | ${programs.map(({ sdk, version }) => `${sdk} ${version}`).join(' | ')} |`;
  process.stdout.write(`\n${[head, `|${' --- |'.repeat(programs.length + 2)}`, ...table].join('\n')}\n`);
});

test('each SDK is there', () => {
  expect(programs.map(({ sdk }) => sdk)).toEqual(['JavaScript', 'Python', 'Go', 'Java', 'Rust']);
});

test.each(refusals.flatMap((refusal) => ['managed', 'default'].map((mode) => ({ ...refusal, mode }))))(
  '$name: $mode',
  async ({ name, mode, clientId = '', set, shows, noIdentity = false, ...options }) => {
    const cells: string[] = [];
    const problems: string[] = [];
    for (const { sdk, command } of programs) {
      if (sdk === 'Rust' && mode === 'default') {
        cells.push('none');
        continue;
      }
      await using nmi = await startNmi({ ...options, args: [...args, ...(options.args ?? [])] });
      await set(nmi);
      await eventually('the pod is known', () => nmi.kube.all(podsType).length > 0);
      const { ms, text } = await asked(command, mode, clientId);
      const own = noIdentity && ownWords[`${sdk} ${mode}`]?.test(text);
      cells.push(`${(ms / 1000).toFixed(1)} s${shows.test(text) ? '' : own ? ', own words' : ', REASON LOST'}`);
      if (ms > stallsAfterMs) problems.push(`${sdk} stalls for ${ms} ms`);
      if (!shows.test(text) && !own) problems.push(`${sdk} shows: ${text.slice(0, 1500)}`);
    }
    table.push(`| ${name} | ${mode} | ${cells.join(' | ')} |`);
    expect(problems).toEqual([]);
  },
  600_000,
);

function asked(command: readonly string[], mode: string, clientId: string): Promise<{ ms: number; text: string }> {
  const [program = '', ...before] = command;
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent' };
  const child = spawn(program, [...before, mode, clientId], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, errors] = ['', ''];
  child.stdout.on('data', (part) => {
    out += part;
  });
  child.stderr.on('data', (part) => {
    errors += part;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => {
      const line = out.trim().split('\n').at(-1) ?? '';
      try {
        resolve(JSON.parse(line));
      } catch {
        reject(new Error(`${program} printed ${out}${errors}`));
      }
    });
  });
}
